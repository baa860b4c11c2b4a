import { GitCompareArrows, X } from 'lucide-react';
import { useEffect } from 'react';
import type { SessionInfo } from '../../../shared/model/session-info.ts';
import { showSession } from '../../state/window-state.ts';
import { useRovingFocus } from '../../ui/use-roving-focus.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';
import { openComparison } from '../compare/comparison-actions.ts';
import { recordInto } from './record-into.ts';
import { sessionName } from './session-name.ts';

/** The tab of a comparison; ids of sessions are longer. */
const COMPARISON = 'comparison';

function tabId(id: string | null): string {
  return `session-tab-${id ?? 'recorded'}`;
}

/**
 * Which tabs there are, and the properties of each: arrow keys move between them, and the focus goes with the choice.
 */
function useSessionTabs() {
  const app = useApp();
  const opened = useWindow((state) => state.opened);
  const hasComparison = useWindow((state) => state.comparison !== null);
  const current = useWindow((state) => (state.comparison?.shown ? COMPARISON : state.shown));
  const ids = [null, ...opened.map(({ id }) => id), ...(hasComparison ? [COMPARISON] : [])];
  const roving = useRovingFocus(ids.length, ids.indexOf(current));
  const choose = (id: string | null) => (id === COMPARISON ? openComparison(app) : showSession(app.store, id));
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
  return { ids, opened, current, hasComparison, tab };
}

/** Next to its tab, not in it: a tab may contain no other control. */
function CloseButton({ name, close }: { name: string; close: () => void }) {
  return (
    <button type="button" className="close" aria-label={`Close ${name}`} onClick={close}>
      <X size={12} aria-hidden="true" />
    </button>
  );
}

/** One is about the shown session, which is only read; the other takes the place of the comparison's later tab. */
function SessionButtons({ hasComparison, shown }: { hasComparison: boolean; shown: SessionInfo | undefined }) {
  const app = useApp();
  return (
    <span className="tabs session-buttons">
      {shown && (
        <button
          type="button"
          title="End the current recording, and continue in this session"
          onClick={() => void attempt(app, () => recordInto(app, shown.path))}
        >
          <i className="dot bad" aria-hidden="true" /> Continue recording
        </button>
      )}
      {!hasComparison && (
        <button type="button" title="Compare two sessions" onClick={() => openComparison(app)}>
          <GitCompareArrows size={13} aria-hidden="true" /> Compare
        </button>
      )}
    </span>
  );
}

/** The tab of the shown session comes into sight, in a row that is too narrow for all. */
function useTabInSight(current: string | null): void {
  useEffect(() => {
    // With the button that closes it.
    document.getElementById(tabId(current))?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
}

/** The open sessions and their comparison, one of them shown. Hidden while there is only the current recording. */
export function SessionTabs() {
  const opened = useWindow((state) => state.opened);
  return opened.length === 0 ? null : <SessionBar />;
}

function SessionBar() {
  const app = useApp();
  const { ids, opened, current, hasComparison, tab } = useSessionTabs();
  useTabInSight(current);
  return (
    <nav className="session-bar" aria-label="Open sessions">
      {/* A tablist may contain tabs only, and each tab has a button next to it: it owns the tabs by their ids. */}
      <div role="tablist" aria-label="Sessions" aria-owns={ids.map(tabId).join(' ')} />
      <div className="tabs session-tabs">
        <span className="session-tab">
          <button {...tab(null, 0)}>
            <i className="dot bad" aria-hidden="true" />
            Current recording
          </button>
        </span>
        {opened.map(({ id, path, name }, index) => (
          <span key={id} className="session-tab">
            <button {...tab(id, index + 1)} title={path}>
              {sessionName({ name, path })}
            </button>
            <CloseButton
              name={sessionName({ name, path })}
              close={() => void attempt(app, () => app.api.request('sessions.close', { session: id }))}
            />
          </span>
        ))}
        {hasComparison && (
          <span className="session-tab">
            <button {...tab(COMPARISON, ids.length - 1)}>Comparison</button>
            <CloseButton name="comparison" close={() => app.store.setState({ comparison: null })} />
          </span>
        )}
      </div>
      <SessionButtons hasComparison={hasComparison} shown={opened.find(({ id }) => id === current)} />
    </nav>
  );
}
