import { Smartphone, X } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CopyLine } from '../../ui/copy-button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { updateSettings } from '../actions.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';

type Devices = OutputOf<'devices.status'>;

/** Lets phones and other machines use the proxy. Off by default: the proxy listens on loopback only. */
export function DevicesSection() {
  const app = useApp();
  const [devices, setDevices] = useState<Devices | null>(null);
  const [busy, setBusy] = useState(false);
  // The state may have changed outside this dialog, for example by --host on the command line.
  useEffect(() => {
    void attempt(app, () => app.api.request('devices.status', {})).then(setDevices);
  }, [app]);
  // Null until the host has replied, or if it does not know.
  if (devices === null) return null;
  // Not a setting: opening lasts until the program ends, and is never remembered.
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
          {devices.open ? 'The proxy accepts connections from the network.' : 'Only this machine can reach the proxy.'}
        </small>
        <Button icon={devices.open ? X : Smartphone} disabled={busy} onClick={() => void set(!devices.open)}>
          {devices.open ? 'Close' : 'Open to the network'}
        </Button>
      </div>
      <Exposure open={devices.open} />
      {devices.open && <DeviceAddress urls={devices.urls} />}
    </PanelSection>
  );
}

/** Lists what other devices can and can't do while the proxy is open; shown before the user opens it. */
function Exposure({ open }: { open: boolean }) {
  const app = useApp();
  const { devicesReachLocal } = useWindow((state) => state.settings);
  return (
    <>
      <ul className="exposure muted" aria-label={open ? 'What is exposed' : 'What opening exposes'}>
        <li>Any device on this machine’s networks can send requests through the proxy without a password.</li>
        <li>
          Their requests come from this machine: they reach the internet and every network and VPN it is connected to.
        </li>
        <li>Their requests are recorded here like your own.</li>
        <li>
          {devicesReachLocal
            ? 'They can reach services on this machine, including localhost, and link-local addresses.'
            : 'They can’t reach services on this machine (localhost and its own addresses) or link-local addresses.'}
        </li>
        <li>They can’t reach this window. They can download the CA certificate, but not its key.</li>
        <li>
          {open
            ? 'The proxy stays open until you close it or quit.'
            : 'The proxy stays open until you close it or quit. Opening it restarts all connections through the proxy.'}
        </li>
      </ul>
      <Choice
        label="Let other devices reach services on this machine"
        hint="For example, to open a page served from localhost on a phone."
        checked={devicesReachLocal}
        set={(reach) => void updateSettings(app, { devicesReachLocal: reach })}
      />
    </>
  );
}

/** The QR code of the setup page. A machine with several networks has several addresses; the user picks one. */
function DeviceAddress({ urls }: { urls: readonly string[] }) {
  // The host lists IPv4 addresses first: they are shorter to type.
  const [chosen, setChosen] = useState(urls[0] ?? '');
  if (chosen === '') return <p className="muted">This machine has no network address.</p>;
  return (
    <div className="device">
      <QRCodeSVG value={chosen} size={112} marginSize={2} title={chosen} className="qr" />
      <div className="about">
        <p>
          Scan the code with a device on the same network. The page has the proxy settings, the certificate and setup
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
