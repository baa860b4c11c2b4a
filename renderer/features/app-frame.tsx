import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { SessionTables } from '../state/session-tables.ts';
import { logProblem } from '../state/window-state.ts';
import { useTheme } from '../theme/use-theme.ts';
import { FaultBoundary } from '../ui/fault-boundary.tsx';
import { later } from '../ui/later.tsx';
import { listenToCommands } from './app-commands.ts';
import { type App, AppContext, useApp, useTableValue, useWindow } from './app-context.ts';
import { BreaksPanel } from './breaks/breaks-panel.tsx';
import { SystemProxyBanner } from './connect/system-proxy.tsx';
import { InsightPanel } from './insight/insight-panel.tsx';
import { EmptyState } from './onboarding/empty-state.tsx';
import { DropTarget } from './sessions/drop-target.tsx';
import { SessionNotice } from './sessions/session-notice.tsx';
import { SessionTabs } from './sessions/session-tabs.tsx';
import { usePruningReport } from './sessions/use-pruned.ts';
import { useWindowTitle } from './sessions/use-window-title.ts';
import { Banners } from './status/banners.tsx';
import { StatusBar } from './status/status-bar.tsx';
import { Toasts } from './status/toasts.tsx';
import { TimelineView } from './timeline/timeline-view.tsx';
import { SearchBar } from './toolbar/search-bar.tsx';
import { Toolbar } from './toolbar/toolbar.tsx';
import { Arranging } from './traffic/list-state/arranging.tsx';
import { NoMatch } from './traffic/list-state/no-match.tsx';
import { TrafficList } from './traffic/traffic-list.tsx';

/** What a window keeps for its whole life; features get one of its tables. */
interface WindowParts extends Omit<App, 'table'> {
  tables: SessionTables;
}

/**
 * The whole window. Keyboard and menu commands work as long as it is mounted. Features see one session: the shown one.
 */
export function AppFrame({ window: { tables, api, store, clock } }: { window: WindowParts }) {
  const shown = useSyncExternalStore(store.subscribe, () => store.getState().shown);
  const table = tables.of(shown);
  // A new object would run every effect that depends on it.
  const app = useMemo(() => ({ api, store, clock, table }), [api, store, clock, table]);
  useEffect(() => listenToCommands(app), [app]);
  return (
    <AppContext value={app}>
      <Frame />
    </AppContext>
  );
}

const laterParts = () => import('./later-parts.ts');
const Comparison = later(async () => (await laterParts()).ComparisonView);
const Connections = later(async () => (await laterParts()).ConnectionsView);
const Inspection = later(async () => (await laterParts()).Inspector);
const Dialogs = later(async () => (await laterParts()).PanelDialog);

/** Loads the later parts once the window has its rows: before that, they would take CPU from the rows. */
function useLaterParts(): void {
  const loaded = useWindow((state) => state.loaded);
  useEffect(() => {
    if (!loaded) return;
    // If it fails, the part that needs it reports that.
    for (const { load } of [Comparison, Connections, Inspection, Dialogs]) void load().catch(() => null);
  }, [loaded]);
}

/** Toolbar, banners, main area, status bar, the open dialog and the toasts. */
function Frame() {
  const theme = useWindow((state) => state.settings.theme);
  const panel = useWindow((state) => state.panel);
  const breaksOpen = useWindow((state) => state.breaksOpen);
  const insightOpen = useWindow((state) => state.insightOpen);
  useTheme(theme);
  useWindowTitle();
  usePruningReport();
  useLaterParts();
  return (
    <div className="frame">
      <Toolbar />
      <Banners />
      <SystemProxyBanner />
      <SessionTabs />
      <SessionNotice />
      <Middle />
      <Part what="The findings" subject={insightOpen}>
        {insightOpen && <InsightPanel />}
      </Part>
      <Part what="The breakpoints" subject={breaksOpen}>
        {breaksOpen && <BreaksPanel />}
      </Part>
      <StatusBar />
      {/* `subject` clears the fault of one dialog when another is opened. */}
      <Part what="The dialog" subject={panel}>
        {panel && <Dialogs.Part panel={panel} />}
      </Part>
      <Toasts />
      <DropTarget />
    </div>
  );
}

/** The comparison, the connections or the list. Keyed by the session: nothing of one is kept for another. */
function Middle() {
  const shown = useWindow((state) => state.shown);
  const comparison = useWindow((state) => (state.comparison?.shown ? state.comparison : null));
  const connectionsOpen = useWindow((state) => state.connectionsOpen);
  if (comparison)
    return (
      <Part what="The comparison" subject={comparison}>
        <Comparison.Part view={comparison} />
      </Part>
    );
  if (connectionsOpen)
    return (
      <Part what="The connections" subject={shown}>
        <Connections.Part key={shown} />
      </Part>
    );
  return <Main key={shown} />;
}

/** Isolates rendering errors: a fault in one part leaves the others working. */
function Part({ what, subject, children }: { what: string; subject?: unknown; children: ReactNode }) {
  const { store } = useApp();
  return (
    <FaultBoundary what={what} subject={subject} onFault={(sentence) => logProblem(store, sentence)}>
      {children}
    </FaultBoundary>
  );
}

/**
 * Timeline, list and inspector, or the empty state. Subscribes to two booleans instead of the table: it would render
 * with every batch of rows otherwise.
 */
function Main() {
  const empty = useTableValue((table) => table.size === 0);
  const noMatch = useTableValue((table) => table.visible.length === 0);
  const selected = useWindow((state) => state.selected);
  const inspecting = useWindow((state) => state.inspecting) && selected !== null;
  const loaded = useWindow((state) => state.loaded);
  const shown = useWindow((state) => state.shown);
  const isEmptySession = useWindow(({ opened }) => opened.some(({ id, exchanges }) => id === shown && exchanges === 0));
  const isDown = useWindow(({ engine }) => engine?.state === 'starting' || engine?.state === 'failed');
  // Before the session's rows are read, an empty table says nothing: the empty state would flash on each start. There
  // are no rows to read before the engine runs. Searching the network for a proxy delays that by seconds, and a session
  // file that can't be opened prevents it.
  if (empty && shown === null && (loaded || isDown)) return <EmptyState late={!loaded} />;
  if (empty) return <main className="main">{isEmptySession && <p className="nothing">This session is empty.</p>}</main>;
  return (
    <main className="main">
      {/* A heading for screen readers: the visible layout has none. */}
      <h1 className="unseen">Exchanges</h1>
      <Part what="The timeline">
        <TimelineView />
      </Part>
      <SearchBar />
      <div className="split">
        <div className="list-pane">
          <Part what="The list">
            <TrafficList />
          </Part>
          {noMatch && <NoMatch />}
          <Arranging />
        </div>
        {inspecting && (
          <Part what="The inspector" subject={selected}>
            <Inspection.Part />
          </Part>
        )}
      </div>
    </main>
  );
}
