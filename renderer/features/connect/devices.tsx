import { Smartphone, X } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { attempt, useApp } from '../app-context.ts';

type Devices = OutputOf<'devices.status'>;

/** Phones and other machines: only when their user opens the proxy to them. */
export function DevicesSection() {
  const app = useApp();
  const [devices, setDevices] = useState<Devices | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void attempt(app, () => app.api.request('devices.status', {})).then(setDevices);
  }, [app]);
  if (devices === null) return null;
  const set = async (open: boolean) => {
    setBusy(true);
    const next = await attempt(app, () => app.api.request('devices.set', { open }));
    setBusy(false);
    if (next) setDevices(next);
  };
  return (
    <PanelSection title="Phones and other devices">
      <div className="form-line spread">
        <small>
          {devices.open
            ? 'Everyone in your network can use this proxy, until you close it or quit.'
            : 'Only this machine reaches the proxy. Open, everyone in your network can use it, until you close it or quit; connections begin anew.'}
        </small>
        <Button icon={devices.open ? X : Smartphone} disabled={busy} onClick={() => void set(!devices.open)}>
          {devices.open ? 'Close' : 'Open to the network'}
        </Button>
      </div>
      {devices.open && <DeviceAddress urls={devices.urls} />}
    </PanelSection>
  );
}

function DeviceAddress({ urls }: { urls: readonly string[] }) {
  const [chosen, setChosen] = useState(urls[0] ?? '');
  if (chosen === '') return <p className="muted">This machine has no address in a network.</p>;
  return (
    <div className="device">
      <QRCodeSVG value={chosen} size={112} marginSize={2} title={chosen} className="qr" />
      <div className="about">
        <p>
          Scan it with the device, in the same network: the page has the proxy’s settings, the certificate and the
          steps.
        </p>
        {urls.length > 1 && (
          <select
            aria-label="Address of this machine"
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          >
            {urls.map((url) => (
              <option key={url}>{url}</option>
            ))}
          </select>
        )}
        <CopyLine text={chosen} label="Copy device address" />
      </div>
    </div>
  );
}
