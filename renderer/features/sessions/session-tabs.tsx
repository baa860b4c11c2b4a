import { GitCompareArrows, X } from 'lucide-react';
import { showSession } from '../../state/window-state.ts';
import { useRovingFocus } from '../../ui/use-roving-focus.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';
import { openComparison } from '../compare/comparison-actions.ts';
import { sessionName } from './session-name.ts';

/** The tab of a comparison; ids of sessions are longer. */
const COMPARISON = 'comparison';

function tabId(id: string | null): string {
  return `session-tab-${id ?? 'recorded'}`;
}

/** The open sessions and their comparison, one of them shown. Hidden while there is only the current recording. */
export function SessionTabs() {
  const app = useApp();
  const opened = useWindow((state) => state.opened);
  const hasComparison = useWindow((state) => state.comparison !== null);
  const current = useWindow((state) => (state.comparison?.shown ? COMPARISON : state.shown));
  const ids = [null, ...opened.map(({ id }) => id), ...(hasComparison ? [COMPARISON] : [])];
  const roving = useRovingFocus(ids.length, ids.indexOf(current));
  if (opened.length === 0) return null;
  const choose = (id: string | null) => (id === COMPARISON ? openComparison(app) : showSession(app.store, id));
  // A button next to each tab closes it. A tablist may contain tabs only: it owns them by their ids.
  const tab = (id: string | null, index: number) => ({
    type: 'button' as const,
    role: 'tab',
    id: tabId(id),
    'aria-selected': id === current,
    ...roving.props(index),
    tabIndex: id === current ? 0 : -1,
    onClick: () => choose(id),
    onKeyDown: (event: React.KeyboardEvent<HTMLButtonElement>) => {
      const chosen = ids[roving.onKeyDown(event) ?? -1];
      if (chosen !== undefined) choose(chosen);
    },
  });
  return (
    <nav className="tabs session-tabs" aria-label="Open sessions">
      <div role="tablist" aria-label="Sessions" aria-owns={ids.map(tabId).join(' ')} />
      <span className="session-tab">
        <button {...tab(null, 0)}>
          <i className="dot bad" aria-hidden="true" />
          Current recording
        </button>
      </span>
      {opened.map(({ id, path }, index) => (
        <span key={id} className="session-tab">
          <button {...tab(id, index + 1)} title={path}>
            {sessionName(path)}
          </button>
          <button
            type="button"
            className="close"
            aria-label={`Close ${sessionName(path)}`}
            onClick={() => void attempt(app, () => app.api.request('sessions.close', { session: id }))}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </span>
      ))}
      {hasComparison ? (
        <span className="session-tab">
          <button {...tab(COMPARISON, ids.length - 1)}>Comparison</button>
          <button
            type="button"
            className="close"
            aria-label="Close comparison"
            onClick={() => app.store.setState({ comparison: null })}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </span>
      ) : (
        <button
          type="button"
          className="compare-sessions"
          title="Compare two sessions"
          onClick={() => openComparison(app)}
        >
          <GitCompareArrows size={13} aria-hidden="true" /> Compare
        </button>
      )}
    </nav>
  );
}
