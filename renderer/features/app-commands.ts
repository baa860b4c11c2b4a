import { INSPECTOR_TABS } from '../state/window-state.ts';
import { findHere, focusFilter, nextTheme, toggleRecording } from './actions.ts';
import type { App } from './app-context.ts';
import { clearSession, undoRemoval } from './edits/edit-actions.ts';
import { composeNew, editAndResend, resend } from './replay/replay-actions.ts';

/** Handles a key without modifiers, pressed outside text fields and dialogs. Returns whether it was a shortcut. */
function runPlainKey(key: string, app: App): boolean {
  const { store, table } = app;
  const { selected, panel } = store.getState();
  const tab = INSPECTOR_TABS[Number(key) - 1];
  if (panel !== null) return false;
  if (key === '/') focusFilter();
  else if (key === '?') store.setState({ panel: 'keys' });
  else if (key === 'n') composeNew(app);
  else if (key === 'r' && selected !== null) void resend(app, { session: table.sessionId, exchange: selected });
  else if (key === 'e' && selected !== null) void editAndResend(app, { session: table.sessionId, exchange: selected });
  else if (tab && selected !== null) store.setState({ tab, inspecting: true });
  else return false;
  return true;
}

// A checkbox is an input too, but takes no text. The path leads into a code editor's shadow tree; `target` does not.
function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox';
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

/** Whether a key with Ctrl is pressed once, and meant for the window rather than for a dialog. */
function isFree(event: KeyboardEvent, { store }: App): boolean {
  return !event.repeat && store.getState().panel === null;
}

/**
 * Runs the commands of the desktop app's menu, and the same commands by keyboard, because the window in a browser has
 * no menu. Ctrl+F replaces the browser's search, which finds only the rows that are drawn. Ctrl+Z in a text field stays
 * the field's undo. Returns a function that stops listening.
 */
export function listenToCommands(app: App): () => void {
  const run = {
    clear: () => void clearSession(app),
    'toggle-recording': () => toggleRecording(app),
    'export-har': () => app.store.setState({ panel: 'export' }),
    'focus-filter': () => findHere(app),
    'open-trust': () => app.store.setState({ panel: 'trust' }),
    'toggle-theme': () => nextTheme(app),
    'new-request': () => composeNew(app),
    'open-sessions': () => app.store.setState({ panel: 'sessions' }),
    'open-settings': () => app.store.setState({ panel: 'proxy' }),
    'show-keys': () => app.store.setState({ panel: 'keys' }),
  };
  const end = app.api.on('app.command', ({ command }) => run[command]());
  const onKey = (event: KeyboardEvent) => {
    const held = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (held && key === 'f') findHere(app);
    else if (held && key === 'k') {
      if (isFree(event, app)) run.clear();
    } else if (held && key === 'o' && isFree(event, app)) app.store.setState({ panel: 'sessions' });
    else if (held && key === 'z' && !isTyping(event) && app.store.getState().removals.length > 0) void undoRemoval(app);
    // A held key repeats, and would send a request each time.
    else if (held || event.altKey || event.repeat || isTyping(event) || !runPlainKey(event.key, app)) return;
    event.preventDefault();
  };
  window.addEventListener('keydown', onKey);
  return () => {
    end();
    window.removeEventListener('keydown', onKey);
  };
}
