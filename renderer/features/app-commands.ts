import { clearSession, focusFilter, nextTheme, toggleRecording } from './actions.ts';
import type { App } from './app-context.ts';

/** What the host's menu asks for, and the keys that do the same in a browser. Returns what ends the listening. */
export function listenToCommands(app: App): () => void {
  const run = {
    clear: () => void clearSession(app),
    'toggle-recording': () => toggleRecording(app),
    'export-har': () => app.store.setState({ panel: 'export' }),
    'focus-filter': focusFilter,
    'open-trust': () => app.store.setState({ panel: 'trust' }),
    'toggle-theme': () => nextTheme(app),
  };
  const end = app.api.on('app.command', ({ command }) => run[command]());
  const onKey = (event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    const held = event.ctrlKey || event.metaKey;
    if (held && event.key.toLowerCase() === 'f') focusFilter();
    else if (held && event.key.toLowerCase() === 'k') run.clear();
    else if (!held && event.key === '/' && !typing) focusFilter();
    else return;
    event.preventDefault();
  };
  window.addEventListener('keydown', onKey);
  return () => {
    end();
    window.removeEventListener('keydown', onKey);
  };
}
