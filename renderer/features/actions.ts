import type { SavedFile } from '../../shared/contract/requests.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { showToast } from '../state/window-state.ts';
import { type App, attempt } from './app-context.ts';

export async function updateSettings(app: App, change: Partial<Settings>): Promise<boolean> {
  const settings = await attempt(app, () => app.api.request('settings.update', change));
  if (settings) app.store.setState({ settings });
  return settings !== null;
}

export function toggleRecording(app: App): void {
  void updateSettings(app, { recording: !app.store.getState().settings.recording });
}

export async function clearSession(app: App): Promise<void> {
  await attempt(app, () => app.api.request('session.clear', {}));
}

const THEMES = ['system', 'light', 'dark'] as const;

export function nextTheme(app: App): void {
  const at = THEMES.indexOf(app.store.getState().settings.theme);
  void updateSettings(app, { theme: THEMES[(at + 1) % THEMES.length] ?? 'system' });
}

export function focusFilter(): void {
  const box = document.getElementById('filter');
  if (box instanceof HTMLInputElement) {
    box.focus();
    box.select();
  }
}

/** Looks in the body that is shown where the keyboard is in the inspector, else among the exchanges. */
export function findHere({ store }: App): void {
  const inspector = document.activeElement?.closest('.inspector');
  if (!inspector?.querySelector('.code-box')) focusFilter();
  else if (store.getState().find === null) store.setState({ find: '' });
  else document.getElementById('find')?.focus();
}

/** Shows where a file went, as a path or a link to fetch it by, and what it lacks. */
export function tellSaved(app: App, saved: Exclude<SavedFile, { status: 'cancelled' }>, what: string): void {
  const link = 'url' in saved ? { label: 'Download', url: saved.url } : null;
  const said = 'url' in saved ? `${what} is ready.` : `${what} was saved to ${saved.path}`;
  const message = saved.note === null ? said : `${said} (${saved.note})`;
  showToast(app.store, { tone: 'done', code: null, message, link });
}
