import { AlertTriangle, ShieldAlert, Unplug } from 'lucide-react';
import type { EngineStatus } from '../../../shared/model/engine-status.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { Button } from '../../ui/button.tsx';
import { useApp, useWindow } from '../app-context.ts';

/** The one most important problem of the whole window: lost host, engine failure, or unverified certificates. */
export function Banners() {
  const lost = useWindow((state) => !state.connected && state.everConnected);
  // Never connected. Reconnecting may not help: the token in the address may be missing or out of date.
  const refused = useWindow((state) => !state.connected && !state.everConnected);
  const engine = useWindow((state) => state.engine);
  const unverified = useWindow((state) => unverifiedHosts(state.settings));
  if (lost || refused) {
    return (
      <div className="banner" role="alert">
        <Unplug size={15} aria-hidden="true" />
        {lost
          ? 'Disconnected from the host. Its recording is in the session file. Reconnecting automatically.'
          : 'Connecting to Roundtrip. If this takes long, reopen the address that it printed.'}
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
  return unverified === '' ? null : <UnverifiedBanner hosts={unverified} />;
}

/** A status, not an alert: it is a lasting setting of the user, and must not interrupt at each start. */
function UnverifiedBanner({ hosts }: { hosts: string }) {
  const { store } = useApp();
  return (
    <div className="banner warn" role="status">
      <ShieldAlert size={15} aria-hidden="true" />
      <span>Any certificate is accepted for {hosts}. Anyone on the network path can read and change that traffic.</span>
      <Button tone="quiet" onClick={() => store.setState({ panel: 'proxy' })}>
        Change
      </Button>
    </div>
  );
}

/**
 * By urgency: a proxy that isn't running, then a recording failure that the user can still fix, then a past failure.
 */
function failureToShow(engine: EngineStatus | null): Failure | null {
  if (engine === null || engine.state === 'failed') return engine?.failure ?? null;
  return engine.recordingFailure ?? engine.failure;
}

/** The hosts whose certificates are not verified, for a sentence; empty if every host is verified. */
function unverifiedHosts({ insecureUpstream, hostOverrides }: Settings): string {
  if (insecureUpstream) return 'every origin';
  return hostOverrides
    .filter((rules) => rules.skipVerification)
    .map((rules) => rules.host)
    .join(', ');
}
