import { useApp, useWindow } from '../app-context.ts';
import { ClientRows } from '../connect/client-rows.tsx';
import { Launchers } from '../connect/launchers.tsx';
import { Recipes } from '../connect/recipes.tsx';
import { useLaunchers } from '../connect/use-launchers.ts';

/** Ids of the recipes shown here; the Connect dialog has all of them. */
const SHORTEST = ['command', 'other'];

/**
 * Shown instead of the list while the session is empty. If the proxy is down, it says this instead, because no setup
 * step would work. `late`: appears after a delay, because the session may have rows.
 */
export function EmptyState({ late }: { late: boolean }) {
  const down = useWindow((state) => state.engine?.state === 'failed');
  return <main className={late ? 'empty late' : 'empty'}>{down ? <NotListening /> : <WaysIn />}</main>;
}

/** Points to the banner, which has the failure's message and code. */
function NotListening() {
  return (
    <div className="empty-card">
      <h1>The proxy is not listening</h1>
      <p className="lead">
        See the reason above. Fix it and restart Roundtrip to capture traffic. Earlier recordings are in their session
        file.
      </p>
    </div>
  );
}

/** Ways to capture a first request, the quickest first. */
function WaysIn() {
  const app = useApp();
  const recording = useWindow((state) => state.settings.recording);
  const listening = useWindow((state) => (state.engine?.proxyUrl ?? '') !== '');
  const found = useLaunchers();
  return (
    <div className="empty-card">
      <h1>{recording ? 'Waiting for the first request' : 'Recording is paused'}</h1>
      <p className="lead">Send traffic through the proxy. Exchanges appear here as they happen.</p>
      <section>
        <h2>Open a browser or terminal</h2>
        <p>Preconfigured for this proxy. Your own browser, shell and system settings don’t change.</p>
        <Launchers launchers={found?.launchers ?? null} />
        <ClientRows />
      </section>
      <section>
        <h2>Or configure another program</h2>
        {/* The recipes contain the proxy's address. */}
        {listening ? (
          <Recipes recipes={(found?.recipes ?? []).filter(({ id }) => SHORTEST.includes(id))} />
        ) : (
          <p className="muted">The proxy is not listening yet.</p>
        )}
        <button type="button" className="more-ways" onClick={() => app.store.setState({ panel: 'connect' })}>
          Electron apps, containers, phones, running programs
        </button>
      </section>
    </div>
  );
}
