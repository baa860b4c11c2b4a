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

/** Shows where a file went: a path, or a link to fetch it by. */
export function tellSaved(app: App, saved: { path: string } | { url: string }, what: string): void {
  const link = 'url' in saved ? { label: 'Download', url: saved.url } : null;
  const message = 'url' in saved ? `${what} is ready.` : `${what} was saved to ${saved.path}`;
  showToast(app.store, { tone: 'done', code: null, message, link });
}
