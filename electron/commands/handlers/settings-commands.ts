import type { InputOf } from '../../../shared/contract/requests.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { CommandContext } from './command-context.ts';

/** Drops settings that are `undefined`: Electron's IPC carries them, JSON does not. */
function given(input: InputOf<'settings.update'>): Partial<Settings> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

export function updateSettings(input: InputOf<'settings.update'>, { host }: CommandContext): Settings {
  host.settings.update(given(input));
  return host.settings.shown();
}
