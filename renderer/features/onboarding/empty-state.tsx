import { Globe } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Browser } from '../../../shared/contract/requests.ts';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-button.tsx';
import { attempt, useApp, useWindow } from '../app-context.ts';

/** How to get the first request in: three ways, the shortest first. */
export function EmptyState() {
  const proxyUrl = useWindow((state) => state.engine?.proxyUrl ?? '');
  const recording = useWindow((state) => state.settings.recording);
  return (
    <main className="empty">
      <div className="empty-card">
        <h1>{recording ? 'Waiting for the first request' : 'Recording is paused'}</h1>
        <p className="lead">Point something at the proxy, and every exchange shows up here as it happens.</p>
        <section>
          <h2>Open a browser</h2>
          <p>With a profile of its own, set up for this proxy. Your own browser and system stay as they are.</p>
          <Browsers />
        </section>
        <section>
          <h2>Run a command</h2>
          <p>Proxy and certificate are set in its environment: curl, Node, Python, git and others need no flag.</p>
          <CopyLine text="roundtrip record --har out.har -- npm test" label="Copy record command" />
          {proxyUrl && <CopyLine text={`curl --proxy ${proxyUrl} http://example.com/`} label="Copy curl command" />}
        </section>
        <section>
          <h2>Point anything else at it</h2>
          <p>As its HTTP and HTTPS proxy. For HTTPS it has to trust the CA: see CA trust, above.</p>
          {proxyUrl ? (
            <CopyLine text={proxyUrl} label="Copy address" />
          ) : (
            <p className="muted">The proxy is not listening.</p>
          )}
        </section>
      </div>
    </main>
  );
}

function Browsers() {
  const app = useApp();
  const connected = useWindow((state) => state.connected);
  const [browsers, setBrowsers] = useState<Browser[] | null>(null);
  useEffect(() => {
    if (!connected) return;
    void attempt(app, () => app.api.request('browsers.list', {})).then((found) => setBrowsers(found?.browsers ?? []));
  }, [app, connected]);
  if (browsers?.length === 0) return <p className="muted">No Chrome, Chromium, Edge or Firefox was found here.</p>;
  return (
    <div className="buttons">
      {browsers?.map(({ id, name }, index) => (
        <Button
          key={id}
          icon={Globe}
          tone={index === 0 ? 'primary' : 'plain'}
          onClick={() => void attempt(app, () => app.api.request('browsers.launch', { id, url: null }))}
        >
          Open {name}
        </Button>
      ))}
    </div>
  );
}
