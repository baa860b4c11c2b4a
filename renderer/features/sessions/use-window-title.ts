import { useEffect } from 'react';
import { useWindow } from '../app-context.ts';
import { sessionName } from './session-name.ts';

/** The window's title names the shown session; the desktop window uses it. */
export function useWindowTitle(): void {
  const name = useWindow(({ shown, opened }) => {
    const session = opened.find(({ id }) => id === shown);
    return session === undefined ? 'Current recording' : sessionName(session);
  });
  useEffect(() => {
    document.title = `${name} - Roundtrip`;
  }, [name]);
}
