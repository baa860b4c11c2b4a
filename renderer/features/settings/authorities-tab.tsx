import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';

/** One path per line; blank lines and surrounding spaces don't count. */
function pathsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Extra CA files for upstream verification, in addition to the roots that this machine trusts. */
export function AuthoritiesTab({ close }: { close: () => void }) {
  const app = useApp();
  const settings = useWindow((state) => state.settings);
  const [upstream, setUpstream] = useState(settings.upstreamCaFiles.join('\n'));
  const [proxies, setProxies] = useState(settings.proxyCaFiles.join('\n'));
  const [insecure, setInsecure] = useState(settings.insecureUpstream);
  const save = async () => {
    const change = { upstreamCaFiles: pathsOf(upstream), proxyCaFiles: pathsOf(proxies), insecureUpstream: insecure };
    if (await updateSettings(app, change)) close();
  };
  // Called as a function, not rendered as a component: a component defined here would remount and lose the focus.
  const files = (label: string, about: string, value: string, set: (text: string) => void) => (
    <label className="field">
      {label}
      <textarea
        rows={3}
        value={value}
        spellCheck={false}
        placeholder="/etc/ssl/corp-root.pem"
        onChange={(event) => set(event.target.value)}
      />
      <small>{about}</small>
    </label>
  );
  return (
    <>
      <p className="muted">PEM files to trust in addition to this machine’s root certificates.</p>
      {files('For origins and proxies', 'One path per line.', upstream, setUpstream)}
      {files('For HTTPS proxies only', 'One path per line.', proxies, setProxies)}
      <label className="choice">
        <input type="checkbox" checked={insecure} onChange={(event) => setInsecure(event.target.checked)} />
        <span>
          Accept any certificate from every origin
          <small>A rule for the specific host is safer. A warning is shown while this is on.</small>
        </span>
      </label>
      <div className="dialog-actions">
        <Button tone="primary" onClick={() => void save()}>
          Save
        </Button>
      </div>
    </>
  );
}
