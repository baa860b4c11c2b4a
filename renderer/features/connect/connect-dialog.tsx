import { ScanSearch } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { attempt, useApp } from '../app-context.ts';
import { ClientRows } from './client-rows.tsx';
import { DevicesSection } from './devices.tsx';
import { Launchers } from './launchers.tsx';
import { Recipes } from './recipes.tsx';
import { ReverseListeners } from './reverse-listeners.tsx';
import { RunCommand } from './run-command.tsx';
import { SystemProxySection } from './system-proxy.tsx';
import { useLaunchers } from './use-launchers.ts';

/** Every way to route a program through the proxy, with the capture state of each program. */
export function ConnectDialog() {
  const app = useApp();
  const found = useLaunchers();
  return (
    <Dialog title="Connect a program" onClose={() => app.store.setState({ panel: null })}>
      <Launchers launchers={found?.launchers ?? null} />
      <ClientRows />
      {/* A command runs in a terminal: there must be one. */}
      {found?.launchers.some(({ kind }) => kind === 'terminal') && <RunCommand />}
      {/* `id: null` checks a program that the host did not start; the host creates a row for it. */}
      <PanelSection title="Check a running program" label="Capture check">
        <div className="form-line spread">
          <small>
            Opens an address that only Roundtrip serves, to show whether the program is captured and trusts the CA.
          </small>
          <Button
            icon={ScanSearch}
            onClick={() => void attempt(app, () => app.api.request('clients.check', { id: null }))}
          >
            Check
          </Button>
        </div>
      </PanelSection>
      <SystemProxySection />
      <ReverseListeners />
      <DevicesSection />
      <PanelSection title="Set up by hand">
        <Recipes recipes={found?.recipes ?? []} />
      </PanelSection>
    </Dialog>
  );
}
