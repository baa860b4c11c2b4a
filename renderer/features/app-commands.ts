import { INSPECTOR_TABS } from '../state/window-state.ts';
import { clearSession, findHere, focusFilter, nextTheme, toggleRecording } from './actions.ts';
import type { App } from './app-context.ts';

/** Handles a key without modifiers, pressed outside text fields and dialogs. Returns whether it was a shortcut. */
function runPlainKey(key: string, { store }: App): boolean {
  const { selected, panel } = store.getState();
  const tab = INSPECTOR_TABS[Number(key) - 1];
  if (panel !== null) return false;
  if (key === '/') focusFilter();
  else if (key === '?') store.setState({ panel: 'keys' });
  else if (tab && selected !== null) store.setState({ tab, inspecting: true });
  else return false;
  return true;
}

// A checkbox is an input too, but takes no text.
function isTyping({ target }: Event): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
}

/**
 * Runs the commands of the desktop app's menu, and the same commands by keyboard, because the window in a browser has
 * no menu. Returns a function that stops listening.
 */
export function listenToCommands(app: App): () => void {
  const run = {
    clear: () => void clearSession(app),
    'toggle-recording': () => toggleRecording(app),
    'export-har': () => app.store.setState({ panel: 'export' }),
    'focus-filter': () => findHere(app),
    'open-trust': () => app.store.setState({ panel: 'trust' }),
    'toggle-theme': () => nextTheme(app),
  };
  const end = app.api.on('app.command', ({ command }) => run[command]());
  const onKey = (event: KeyboardEvent) => {
    const held = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (held && key === 'f') findHere(app);
    else if (held && key === 'k') run.clear();
    else if (held || event.altKey || isTyping(event) || !runPlainKey(event.key, app)) return;
    event.preventDefault();
  };
  window.addEventListener('keydown', onKey);
  return () => {
    end();
    window.removeEventListener('keydown', onKey);
  };
}
