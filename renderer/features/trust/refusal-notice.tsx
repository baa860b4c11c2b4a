import { ShieldCheck, ShieldX, Undo2, Waypoints } from 'lucide-react';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { Button } from '../../ui/button.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';

/** Failures of a client that rejected our certificate: with a TLS alert, or by closing the connection without one. */
const REFUSALS = ['tls.client-rejected-certificate', 'tls.client-pins-certificate', 'tls.client-closed'];

/**
 * Offers the two fixes for an exchange whose client rejected our certificate: pass the host through, or trust the CA.
 */
export function RefusalNotice({ exchange: { state, request, failure } }: { exchange: Exchange }) {
  const app = useApp();
  const hosts = useWindow((state) => state.settings.passthroughHosts);
  if (state !== 'failed' || failure === null || !REFUSALS.includes(failure.code) || request.host === '') return null;
  const { host } = request;
  const passed = hosts.includes(host);
  // A setting, which also applies to later sessions; the button reverts it.
  const pass = (next: string[]) => void updateSettings(app, { passthroughHosts: next });
  return (
    <section className="refusal" aria-label="Certificate rejected">
      <ShieldX size={16} aria-hidden="true" />
      <div>
        <p>
          {passed
            ? `New connections to ${host} are passed through without decryption.`
            : `Pass ${host} through without decryption, or trust the CA in the store that this client uses.`}
        </p>
        <div className="buttons">
          {passed ? (
            <Button icon={Undo2} onClick={() => pass(hosts.filter((one) => one !== host))}>
              Decrypt {host} again
            </Button>
          ) : (
            <>
              <Button icon={Waypoints} onClick={() => pass([...hosts, host])}>
                Pass {host} through
              </Button>
              <Button icon={ShieldCheck} onClick={() => app.store.setState({ panel: 'trust' })}>
                Trust the CA
              </Button>
            </>
          )}
        </div>
      </div>
    </section>
  );
}
