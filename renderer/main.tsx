import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './theme/tokens.css';
import './theme/frame.css';
import './theme/controls.css';
import './theme/traffic.css';
import './theme/tabs.css';
import './theme/inspector.css';
import './theme/find.css';
import './theme/compare.css';
import './theme/menu.css';
import './theme/messages.css';
import './theme/export.css';
import './theme/trust.css';
import './theme/connect.css';
import './theme/upstream.css';
import './theme/limits.css';
import './theme/rules.css';
import './theme/sessions-compared.css';
import './theme/code-editor.css';
import './theme/breaks.css';
import './theme/throttle.css';
import './theme/lab.css';
import './theme/replay.css';
import './theme/connections.css';
import './theme/insight.css';
import './theme/sessions.css';
import { AppFrame } from './features/app-frame.tsx';
import { findHost } from './platform/find-host.ts';
import { keepArranged } from './state/arrange.ts';
import { HostClock } from './state/host-clock.ts';
import { SessionTables } from './state/session-tables.ts';
import { createWindowStore, logProblem } from './state/window-state.ts';
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
// Connects at once; what arrives before the first render is applied to the state.
const api = findHost((sentence) => logProblem(store, sentence));
syncHost(api, store);
syncSessions(api, store, tables);
keepSearched(api, store, tables);
keepInsight(api, store, tables);
syncEdits(api, store, tables);
const clock = new HostClock();
new FeedSync(api, tables.recorded, store, clock, nextFrame).start();

// The state above starts outside React, so StrictMode's double mounting does not connect twice.
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <AppFrame window={{ api, store, tables, clock }} />
    </StrictMode>,
  );
}
