import { AlertTriangle, ShieldAlert, Unplug } from 'lucide-react';
import type { EngineStatus } from '../../../shared/model/engine-status.ts';
import type { Failure } from '../../../shared/model/failure.ts';
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
  const failure = failureToShow(engine);
  if (failure) {
    return (
      <div className="banner bad" role="alert">
        <AlertTriangle size={15} aria-hidden="true" />
        <b>{failure.code}</b> {failure.message}
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

/** A proxy that does not run matters most; then that nothing is recorded, which can still be fixed; then what is over. */
function failureToShow(engine: EngineStatus | null): Failure | null {
  if (engine === null || engine.state === 'failed') return engine?.failure ?? null;
  return engine.recordingFailure ?? engine.failure;
}

/** The hosts whose certificates are not verified; empty: none. */
function unverifiedHosts({ insecureUpstream, hostOverrides }: Settings): string {
  if (insecureUpstream) return 'every origin';
  return hostOverrides
    .filter((rules) => rules.skipVerification)
    .map((rules) => rules.host)
    .join(', ');
}
