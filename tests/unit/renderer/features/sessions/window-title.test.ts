import { expect, test } from 'vitest';
import { windowTitle } from '../../../../../renderer/features/sessions/use-window-title.ts';
import type { ComparisonView, WindowState } from '../../../../../renderer/state/window-state.ts';
import { createWindowStore } from '../../../../../renderer/state/window-state.ts';

const info = (id: string) => ({ id, path: `/data/${id}.roundtrip`, exchanges: 0, bytes: 0 });

test('the title names what the window shows', () => {
  const { getState, setState } = createWindowStore();
  const titleAfter = (change: Partial<WindowState>) => {
    setState(change);
    return windowTitle(getState());
  };
  expect(windowTitle(getState())).toBe('Roundtrip');
  expect(titleAfter({ session: info('live') })).toBe('live, recording - Roundtrip');
  const recordedName = { path: '/data/live.roundtrip', name: 'Tea' };
  expect(titleAfter({ recordedName })).toBe('Tea, recording - Roundtrip');
  expect(titleAfter({ session: info('next') })).toBe('next, recording - Roundtrip');
  expect(titleAfter({ opened: [{ ...info('a'), name: 'Login' }], shown: 'a' })).toBe('Login - Roundtrip');
  const view: ComparisonView = { before: 'a', after: 'next', shown: true, result: null, problem: null };
  expect(titleAfter({ comparison: view })).toBe('Comparison - Roundtrip');
  expect(titleAfter({ comparison: { ...view, shown: false } })).toBe('Login - Roundtrip');
});
