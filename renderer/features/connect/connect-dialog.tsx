import { ScanSearch } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { attempt, useApp } from '../app-context.ts';
import { ClientRows } from './client-rows.tsx';
import { DevicesSection } from './devices.tsx';
import { Launchers } from './launchers.tsx';
import { Recipes } from './recipes.tsx';
import { RunCommand } from './run-command.tsx';
import { SystemProxySection } from './system-proxy.tsx';
import { useLaunchers } from './use-launchers.ts';

/** All ways to get a program's requests in, and whether they come. */
export function ConnectDialog() {
  const app = useApp();
  const found = useLaunchers();
  return (
    <Dialog title="Connect a program" onClose={() => app.store.setState({ panel: null })}>
      <Launchers launchers={found?.launchers ?? null} />
      <ClientRows />
      {found?.launchers.some(({ kind }) => kind === 'terminal') && <RunCommand />}
      <section className="panel-section" aria-label="Capture check">
        <h3>Check a program that already runs</h3>
        <div className="form-line spread">
          <small>
            It opens an address that only Roundtrip answers, and its row says whether it is captured and trusts the CA.
          </small>
          <Button
            icon={ScanSearch}
            onClick={() => void attempt(app, () => app.api.request('clients.check', { id: null }))}
          >
            Check
          </Button>
        </div>
      </section>
      <SystemProxySection />
      <DevicesSection />
      <section className="panel-section" aria-label="By hand">
        <h3>Set up by hand</h3>
        <Recipes recipes={found?.recipes ?? []} />
      </section>
    </Dialog>
  );
}
