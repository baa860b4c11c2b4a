import { Smartphone, X } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { updateSettings } from '../actions.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';

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
        <small>{devices.open ? 'The proxy is open to the network.' : 'Only this machine reaches the proxy.'}</small>
        <Button icon={devices.open ? X : Smartphone} disabled={busy} onClick={() => void set(!devices.open)}>
          {devices.open ? 'Close' : 'Open to the network'}
        </Button>
      </div>
      <Exposure open={devices.open} />
      {devices.open && <DeviceAddress urls={devices.urls} />}
    </PanelSection>
  );
}

/** What others can do once the proxy is open, and what they can't. */
function Exposure({ open }: { open: boolean }) {
  const app = useApp();
  const { devicesReachLocal } = useWindow((state) => state.settings);
  return (
    <>
      <ul className="exposure muted" aria-label={open ? 'What is exposed' : 'What opening exposes'}>
        <li>Every device in this machine’s networks can send requests through the proxy, without a password.</li>
        <li>Their requests go out as this machine’s: to the internet, and to all that its networks and VPNs reach.</li>
        <li>They are recorded here, like your own.</li>
        <li>
          {devicesReachLocal
            ? 'They also reach the services of this machine, on localhost too, and link-local addresses.'
            : 'They do not reach the services of this machine (localhost and its own addresses), nor link-local addresses.'}
        </li>
        <li>They never reach this window. The CA’s certificate can be fetched; its key can’t.</li>
        <li>
          {open
            ? 'This lasts until you close it, or quit.'
            : 'It lasts until you close it, or quit. Connections through the proxy begin anew.'}
        </li>
      </ul>
      <label className="choice">
        <input
          type="checkbox"
          checked={devicesReachLocal}
          onChange={(event) => void updateSettings(app, { devicesReachLocal: event.target.checked })}
        />
        <span>
          Let other devices reach the services of this machine
          <small>For a page that runs on localhost here and is to be seen on a phone.</small>
        </span>
      </label>
    </>
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
