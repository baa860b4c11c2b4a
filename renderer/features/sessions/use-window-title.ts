import { useEffect } from 'react';
import type { WindowState } from '../../state/window-state.ts';
import { useWindow } from '../app-context.ts';
import { sessionName } from './session-name.ts';

type Sessions = Pick<WindowState, 'shown' | 'opened' | 'session' | 'recordedName' | 'comparison'>;

/** The name of the shown session; of the one that is being recorded, with that fact. */
export function windowTitle({ shown, opened, session, recordedName, comparison }: Sessions): string {
  if (comparison?.shown) return 'Comparison - Roundtrip';
  const found = opened.find(({ id }) => id === shown);
  if (found !== undefined) return `${sessionName(found)} - Roundtrip`;
  if (session === null) return 'Roundtrip';
  const { path } = session;
  const name = recordedName?.path === path ? recordedName.name : sessionName({ path });
  return `${name}, recording - Roundtrip`;
}

/** The window's title names the shown session; the desktop window uses it. */
export function useWindowTitle(): void {
  const title = useWindow(windowTitle);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
