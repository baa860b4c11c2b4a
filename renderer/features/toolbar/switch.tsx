import type { ComponentProps } from 'react';
import type { WindowState } from '../../state/window-state.ts';
import { ToolButton } from '../../ui/button.tsx';
import { useWindow } from '../app-context.ts';

/** The title of a button whose state the host has not reported yet. */
export const WAITING = 'Roundtrip is starting';

/** The host reports the engine's status and the settings together: the desktop app draws its window before that. */
export function isHostKnown({ engine }: WindowState): boolean {
  return engine !== null;
}

/** A button of the toolbar for a setting. Neither on nor off until the setting is known. */
export function Switch({ pressed, title, ...tool }: ComponentProps<typeof ToolButton> & { pressed: boolean }) {
  const known = useWindow(isHostKnown);
  return known ? (
    <ToolButton {...tool} pressed={pressed} title={title} />
  ) : (
    <ToolButton {...tool} disabled title={WAITING} />
  );
}
