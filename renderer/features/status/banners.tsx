import { AlertTriangle, ShieldAlert, Unplug } from 'lucide-react';
import type { Settings } from '../../../shared/model/settings.ts';
import { Button } from '../../ui/button.tsx';
import { useApp, useWindow } from '../app-context.ts';

/** What stops the whole window from working, and what to do. */
export function Banners() {
  const lost = useWindow((state) => !state.connected && state.everConnected);
  const refused = useWindow((state) => !state.connected && !state.everConnected);
  const engine = useWindow((state) => state.engine);
  const unverified = useWindow((state) => unverifiedHosts(state.settings));
  const app = useApp();
  if (lost || refused) {
    return (
      <div className="banner" role="alert">
        <Unplug size={15} aria-hidden="true" />
        {lost
          ? 'The host is gone. What it recorded is in its session file; this window connects again by itself.'
          : 'Connecting to Roundtrip. If this stays, open the address that it printed once more.'}
      </div>
    );
  }
  if (engine?.failure) {
    return (
      <div className="banner bad" role="alert">
        <AlertTriangle size={15} aria-hidden="true" />
        <b>{engine.failure.code}</b> {engine.failure.message}
      </div>
    );
  }
  if (unverified !== '') {
    return (
      <div className="banner warn" role="status">
        <ShieldAlert size={15} aria-hidden="true" />
        <span>
          Any certificate is accepted for {unverified}: whoever sits between can read and change that traffic.
        </span>
        <Button tone="quiet" onClick={() => app.store.setState({ panel: 'proxy' })}>
          Change
        </Button>
      </div>
    );
  }
  return null;
}

/** The hosts whose certificates are not verified; empty: none. */
function unverifiedHosts({ insecureUpstream, hostOverrides }: Settings): string {
  if (insecureUpstream) return 'every origin';
  return hostOverrides
    .filter((rules) => rules.skipVerification)
    .map((rules) => rules.host)
    .join(', ');
}
