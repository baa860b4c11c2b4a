import { ShieldCheck, ShieldX, Undo2, Waypoints } from 'lucide-react';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { Button } from '../../ui/button.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';

/** How a client refuses our certificate: by an alert, or by leaving without a word. */
const REFUSALS = ['tls.client-rejected-certificate', 'tls.client-pins-certificate', 'tls.client-closed'];

/** For a row of a client that refused our certificate, whose reason stands below: the two ways out of it. */
export function RefusalNotice({ exchange: { state, request, failure } }: { exchange: Exchange }) {
  const app = useApp();
  const hosts = useWindow((state) => state.settings.passthroughHosts);
  if (state !== 'failed' || failure === null || !REFUSALS.includes(failure.code) || request.host === '') return null;
  const { host } = request;
  const passed = hosts.includes(host);
  const pass = (next: string[]) => void updateSettings(app, { passthroughHosts: next });
  return (
    <section className="refusal" aria-label="Refused certificate">
      <ShieldX size={16} aria-hidden="true" />
      <div>
        <p>
          {passed
            ? `From its next connection on, ${host} passes through unread.`
            : `Let ${host} pass through unread, or trust the CA where this client looks for it.`}
        </p>
        <div className="buttons">
          {passed ? (
            <Button icon={Undo2} onClick={() => pass(hosts.filter((one) => one !== host))}>
              Open {host} again
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
