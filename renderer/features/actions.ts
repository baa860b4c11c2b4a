import type { SavedFile } from '../../shared/contract/saved-file.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { showToast } from '../state/window-state.ts';
import { type App, attempt } from './app-context.ts';

/** Changes settings on the host. On failure it shows a toast, leaves the settings as they were and returns false. */
export async function updateSettings(app: App, change: Partial<Settings>): Promise<boolean> {
  const settings = await attempt(app, () => app.api.request('settings.update', change));
  if (settings) app.store.setState({ settings });
  return settings !== null;
}

/** Pauses or resumes recording; traffic is forwarded either way. */
export function toggleRecording(app: App): void {
  void updateSettings(app, { recording: !app.store.getState().settings.recording });
}

/** The order in which the theme button cycles. */
const THEMES = ['system', 'light', 'dark'] as const;

/** Cycles through the themes in the order above. */
export function nextTheme(app: App): void {
  const at = THEMES.indexOf(app.store.getState().settings.theme);
  void updateSettings(app, { theme: THEMES[(at + 1) % THEMES.length] ?? 'system' });
}

/** Selects the filter's text too: typing replaces it. */
export function focusFilter(): void {
  const box = document.getElementById('filter');
  if (box instanceof HTMLInputElement) {
    box.focus();
    box.select();
  }
}

/** Find: in the shown body if the focus is in the inspector, else in the list's filter. */
export function findHere({ store }: App): void {
  const inspector = document.activeElement?.closest('.inspector');
  if (!inspector?.querySelector('.code-box')) focusFilter();
  else if (store.getState().find === null) store.setState({ find: '' });
  else document.getElementById('find')?.focus();
}

/**
 * Shows where a file was saved, with the host's note about what it lacks. The desktop app reports a path; the web host
 * can't write to the user's machine and offers a download link.
 */
export function tellSaved(app: App, saved: Exclude<SavedFile, { status: 'cancelled' }>, what: string): void {
  const link = 'url' in saved ? { label: 'Download', url: saved.url } : null;
  const said = 'url' in saved ? `${what} is ready.` : `${what} was saved to ${saved.path}`;
  const message = saved.note === null ? said : `${said} (${saved.note})`;
  showToast(app.store, { tone: 'done', code: null, message, link });
}
