import { useEffect } from 'react';
import { useTheme } from '../theme/use-theme.ts';
import { listenToCommands } from './app-commands.ts';
import { type App, AppContext, useTable, useWindow } from './app-context.ts';
import { ExportDialog } from './export/export-dialog.tsx';
import { Inspector } from './inspector/inspector.tsx';
import { EmptyState } from './onboarding/empty-state.tsx';
import { UpstreamProxyDialog } from './settings/upstream-proxy-dialog.tsx';
import { Banners } from './status/banners.tsx';
import { StatusBar } from './status/status-bar.tsx';
import { Toasts } from './status/toasts.tsx';
import { TimelineView } from './timeline/timeline-view.tsx';
import { Toolbar } from './toolbar/toolbar.tsx';
import { NoMatch } from './traffic/no-match.tsx';
import { TrafficList } from './traffic/traffic-list.tsx';
import { TrustDialog } from './trust/trust-dialog.tsx';

export function AppFrame({ app }: { app: App }) {
  useEffect(() => listenToCommands(app), [app]);
  return (
    <AppContext value={app}>
      <Frame />
    </AppContext>
  );
}

function Frame() {
  const theme = useWindow((state) => state.settings.theme);
  const panel = useWindow((state) => state.panel);
  useTheme(theme);
  return (
    <div className="frame">
      <Toolbar />
      <Banners />
      <Main />
      <StatusBar />
      {panel === 'trust' && <TrustDialog />}
      {panel === 'export' && <ExportDialog />}
      {panel === 'proxy' && <UpstreamProxyDialog />}
      <Toasts />
    </div>
  );
}

function Main() {
  const table = useTable();
  const inspecting = useWindow((state) => state.inspecting && state.selected !== null);
  if (table.size === 0) return <EmptyState />;
  return (
    <main className="main">
      <TimelineView />
      <div className="split">
        <div className="list-pane">
          <TrafficList />
          {table.visible.length === 0 && <NoMatch />}
        </div>
        {inspecting && <Inspector />}
      </div>
    </main>
  );
}
