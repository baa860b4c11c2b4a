import { useApp, useWindow } from '../app-context.ts';
import { ClientRows } from '../connect/client-rows.tsx';
import { Launchers } from '../connect/launchers.tsx';
import { Recipes } from '../connect/recipes.tsx';
import { useLaunchers } from '../connect/use-launchers.ts';

const SHORTEST = ['command', 'other'];

/** What stands where rows will. Without a proxy nothing that could be offered here would work. */
export function EmptyState() {
  const down = useWindow((state) => state.engine?.state === 'failed');
  return <main className="empty">{down ? <NotListening /> : <WaysIn />}</main>;
}

function NotListening() {
  return (
    <div className="empty-card">
      <h1>The proxy is not listening</h1>
      <p className="lead">
        The reason is shown above. Nothing can be captured until it is fixed; restart Roundtrip then. What was recorded
        before is in its session file.
      </p>
    </div>
  );
}

/** How to get the first request in: three ways, the shortest first. */
function WaysIn() {
  const app = useApp();
  const recording = useWindow((state) => state.settings.recording);
  const listening = useWindow((state) => (state.engine?.proxyUrl ?? '') !== '');
  const found = useLaunchers();
  return (
    <div className="empty-card">
      <h1>{recording ? 'Waiting for the first request' : 'Recording is paused'}</h1>
      <p className="lead">Point something at the proxy, and every exchange shows up here as it happens.</p>
      <section>
        <h2>Open a browser, or a terminal</h2>
        <p>Set up for this proxy by itself: your own browser, shell and system stay as they are.</p>
        <Launchers launchers={found?.launchers ?? null} />
        <ClientRows />
      </section>
      <section>
        <h2>Or point anything else at it</h2>
        {listening ? (
          <Recipes recipes={(found?.recipes ?? []).filter(({ id }) => SHORTEST.includes(id))} />
        ) : (
          <p className="muted">The proxy is not listening yet.</p>
        )}
        <button type="button" className="more-ways" onClick={() => app.store.setState({ panel: 'connect' })}>
          Electron apps, containers, phones, a check of what already runs
        </button>
      </section>
    </div>
  );
}
