import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/tokens.css';
import './theme/frame.css';
import './theme/controls/controls.css';
import './theme/views/traffic.css';
import './theme/controls/tabs.css';
import './theme/views/inspector.css';
import './theme/controls/find.css';
import './theme/views/compare.css';
import './theme/controls/menu.css';
import './theme/views/messages.css';
import './theme/dialogs/export.css';
import './theme/dialogs/trust.css';
import './theme/dialogs/connect.css';
import './theme/dialogs/upstream.css';
import './theme/dialogs/limits.css';
import './theme/dialogs/rules.css';
import './theme/views/sessions-compared.css';
import './theme/controls/code-editor.css';
import './theme/views/breaks.css';
import './theme/dialogs/throttle.css';
import './theme/dialogs/lab.css';
import './theme/dialogs/replay.css';
import './theme/views/connections.css';
import './theme/views/insight.css';
import './theme/dialogs/sessions.css';
// Last: heads of columns are rows of their lists too, and lower.
import './theme/controls/lists.css';
import { connectInspector } from '../shared/client/connect-inspector.ts';
import { AppFrame } from './features/app-frame.tsx';
import { takePageCrash } from './platform/page-crash.ts';
import { transport } from './start.ts';
import { keepArranged } from './state/arrange.ts';
import { HostClock } from './state/host-clock.ts';
import { SessionTables } from './state/session-tables.ts';
import { createWindowStore, logProblem, showToast } from './state/window-state.ts';
import { keepSearched } from './sync/content-search.ts';
import { syncEdits } from './sync/edit-sync.ts';
import { FeedSync } from './sync/feed-sync.ts';
import { syncHost } from './sync/host-sync.ts';
import { keepInsight } from './sync/insight-sync.ts';
import { nextFrame } from './sync/next-frame.ts';
import { syncSessions } from './sync/session-sync.ts';

// All state lives outside React: rows arrive whether or not anything is rendered.
const store = createWindowStore();
const tables = new SessionTables((table) => keepArranged(store, table));
// What has arrived by now is applied to the state before the first render.
const api = connectInspector(transport, (sentence) => logProblem(store, sentence));
syncHost(api, store);
syncSessions(api, store, tables);
keepSearched(api, store, tables);
keepInsight(api, store, tables);
syncEdits(api, store, tables);
const clock = new HostClock();
new FeedSync(api, tables.recorded, store, { clock, nextFrame }).start();

if (takePageCrash()) {
  const message = 'The window’s page crashed and was loaded again. The recording continued. The log has the reason.';
  showToast(store, { tone: 'error', code: null, message, link: null });
}

// The state above starts outside React: StrictMode's double mounting does not connect twice.
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <AppFrame window={{ api, store, tables, clock }} />
    </StrictMode>,
  );
}
