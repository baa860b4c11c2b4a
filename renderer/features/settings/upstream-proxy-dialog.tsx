import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';

/** What is wrong with an address, or null. The host has the last word. */
function problemOf(address: string): string | null {
  if (address === '') return 'Enter an address, like http://proxy.example:3128.';
  if (!/^https?:\/\//.test(address)) return 'It has to begin with http:// or https://.';
  return URL.canParse(address) ? null : 'This is no address: write http://user:password@host:port.';
}

export function UpstreamProxyDialog() {
  const app = useApp();
  const current = useWindow((state) => state.settings.upstreamProxy);
  const [url, setUrl] = useState(current.url);
  const problem = problemOf(url.trim());
  const close = () => app.store.setState({ panel: null });
  const save = async (enabled: boolean) => {
    if (await updateSettings(app, { upstreamProxy: { enabled, url: url.trim() } })) close();
  };
  return (
    <Dialog title="Upstream proxy" onClose={close}>
      <p>Everything goes on through this proxy. It takes effect on the next exchange.</p>
      <label className="field">
        Address
        <input
          type="text"
          value={url}
          spellCheck={false}
          placeholder="http://user:password@proxy.example:3128"
          aria-invalid={url !== '' && problem !== null}
          onChange={(event) => setUrl(event.target.value)}
        />
        <small className={url !== '' && problem ? 'bad' : ''}>
          {url !== '' && problem ? problem : 'A saved password shows as *** and stays what it was.'}
        </small>
      </label>
      <div className="dialog-actions">
        {current.enabled && <Button onClick={() => void save(false)}>Turn off</Button>}
        <Button tone="primary" disabled={problem !== null} onClick={() => void save(true)}>
          {current.enabled ? 'Save' : 'Turn on'}
        </Button>
      </div>
    </Dialog>
  );
}
