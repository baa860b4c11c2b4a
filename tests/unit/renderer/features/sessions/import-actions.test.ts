import { expect, test } from 'vitest';
import type { App } from '../../../../../renderer/features/app-context.ts';
import { cancelImport, importFiles } from '../../../../../renderer/features/sessions/import-actions.ts';
import { createWindowStore, showToast } from '../../../../../renderer/state/window-state.ts';
import { InspectorError } from '../../../../../shared/contract/envelope.ts';

/** A window whose host imports every file but those named `bad`, which it refuses with their names. */
function start(hold: Promise<void> = Promise.resolve()) {
  const store = createWindowStore();
  const asked: string[] = [];
  let cancel = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    cancel = () => reject(new InspectorError({ code: 'import.cancelled', message: 'It was cancelled.' }));
  });
  cancelled.catch(() => null);
  const api = {
    request: async (name: string, { path = '' }: { path?: string }) => {
      if (name === 'import.cancel') return cancel();
      asked.push(path);
      await Promise.race([hold, cancelled]);
      if (path.startsWith('bad')) throw new InspectorError({ code: 'import.failed', message: `${path} failed` });
      return { session: {}, faults: [], faultCount: 0 };
    },
    on: () => () => {},
  };
  const toasts = () => store.getState().toasts.map(({ message }) => message);
  return { app: { api, store } as unknown as App, store, asked, toasts };
}

test('a failed import has a toast until the next attempt; other toasts stay', async () => {
  const { app, store, toasts } = start();
  showToast(store, { tone: 'done', code: null, message: 'Saved', link: null });
  await importFiles(app, ['bad1', 'good1', 'bad2']);
  expect(toasts()).toEqual(['Saved', 'bad1 failed', 'bad2 failed']);
  await importFiles(app, ['bad3']);
  expect(toasts()).toEqual(['Saved', 'bad3 failed']);
  await importFiles(app, ['good2']);
  expect(toasts()).toEqual(['Saved']);
});

test('a cancelled import is no failure, and ends those that wait', async () => {
  const { app, store, asked, toasts } = start(new Promise(() => {}));
  const importing = importFiles(app, ['good1', 'good2']);
  await cancelImport(app);
  await importing;
  expect({ asked, toasts: toasts(), importing: store.getState().importing }).toEqual({
    asked: ['good1'],
    toasts: [],
    importing: null,
  });
});
