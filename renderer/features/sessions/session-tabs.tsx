import { X } from 'lucide-react';
import { showSession } from '../../state/window-state.ts';
import { useRovingFocus } from '../../ui/use-roving-focus.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';

/** A path's last part without its extension: `login.roundtrip` becomes `login`. */
function nameOf(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? path).replace(/\.roundtrip$/, '');
}

/** The open sessions, one of them shown. Hidden while there is only the one that is being recorded. */
export function SessionTabs() {
  const app = useApp();
  const opened = useWindow((state) => state.opened);
  const shown = useWindow((state) => state.shown);
  const ids = [null, ...opened.map(({ id }) => id)];
  const roving = useRovingFocus(ids.length, ids.indexOf(shown));
  if (opened.length === 0) return null;
  // A button beside each tab closes it: buttons can't be nested, and the Tab key reaches both.
  const tab = (id: string | null, index: number) => ({
    type: 'button' as const,
    role: 'tab',
    'aria-selected': id === shown,
    ...roving.props(index),
    tabIndex: id === shown ? 0 : -1,
    onClick: () => showSession(app.store, id),
    onKeyDown: (event: React.KeyboardEvent<HTMLButtonElement>) => {
      const chosen = ids[roving.onKeyDown(event) ?? -1];
      if (chosen !== undefined) showSession(app.store, chosen);
    },
  });
  return (
    <div className="tabs session-tabs" role="tablist" aria-label="Sessions">
      <span className="session-tab">
        <button {...tab(null, 0)}>
          <i className="dot bad" aria-hidden="true" />
          Current recording
        </button>
      </span>
      {opened.map(({ id, path }, index) => (
        <span key={id} className="session-tab">
          <button {...tab(id, index + 1)} title={path}>
            {nameOf(path)}
          </button>
          <button
            type="button"
            className="close"
            aria-label={`Close ${nameOf(path)}`}
            onClick={() => void attempt(app, () => app.api.request('sessions.close', { session: id }))}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </span>
      ))}
    </div>
  );
}
