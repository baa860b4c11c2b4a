import { Download, ShieldCheck, ShieldOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { CaStatus } from '../../../shared/contract/requests.ts';
import type { TrustChange, TrustStoreName } from '../../../shared/model/trust-store.ts';
import { Button } from '../../ui/button.tsx';
import { CopyLine } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { tellSaved } from '../actions.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';
import { StoreRows } from './store-rows.tsx';

/** What one click changes: the stores that this system's own programs look into. */
function storesOf(platform: string): TrustStoreName[] {
  if (platform === 'darwin') return ['keychain'];
  if (platform === 'win32') return ['windows'];
  return ['system', 'nss'];
}

export function TrustDialog() {
  const app = useApp();
  const platform = useWindow((state) => state.platform);
  const [status, setStatus] = useState<CaStatus | null>(null);
  const [changes, setChanges] = useState<readonly TrustChange[]>([]);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    void attempt(app, () => app.api.request('ca.status', {})).then(setStatus);
  }, [app]);
  const change = async (name: 'ca.install' | 'ca.uninstall', stores: TrustStoreName[]) => {
    setBusy(true);
    const done = await attempt(app, () => app.api.request(name, { stores }));
    setBusy(false);
    if (!done || !status) return;
    setChanges(done.changes);
    const others = status.stores.filter(({ store }) => !done.stores.some((now) => now.store === store));
    const stores_ = [...done.stores, ...others];
    setStatus({ ...status, stores: stores_ });
    app.store.setState({ trusted: stores_.some(({ state }) => state === 'trusted') });
  };
  const save = async () => {
    const saved = await attempt(app, () => app.api.request('ca.export', {}));
    if (saved && saved.status !== 'cancelled') tellSaved(app, saved, 'The CA certificate');
  };
  return (
    <Dialog title="CA trust" onClose={() => app.store.setState({ panel: null })}>
      {status === null ? <p className="muted">Asking each store</p> : <Certificate status={status} />}
      {status && <StoreRows stores={status.stores} busy={busy} change={change} />}
      {changes.map(({ store, ok, message }) => (
        <p key={store} className={ok ? 'result ok' : 'result bad'}>
          <b>{store}</b> {message}
        </p>
      ))}
      <div className="dialog-actions">
        <Button icon={Download} onClick={() => void save()}>
          Export certificate
        </Button>
        <Button icon={ShieldOff} disabled={busy} onClick={() => void change('ca.uninstall', storesOf(platform))}>
          Remove
        </Button>
        <Button
          icon={ShieldCheck}
          tone="primary"
          disabled={busy}
          onClick={() => void change('ca.install', storesOf(platform))}
        >
          Install for this system
        </Button>
      </div>
    </Dialog>
  );
}

function Certificate({ status: { certificate, path } }: { status: CaStatus }) {
  return (
    <dl className="facts">
      <dt>Subject</dt>
      <dd>{certificate.subject}</dd>
      <dt>Expires</dt>
      <dd>{new Date(certificate.notAfter).toLocaleDateString('en', { dateStyle: 'long' })}</dd>
      <dt>SHA-256</dt>
      <dd>
        <CopyLine text={certificate.fingerprint} label="Copy fingerprint" />
      </dd>
      <dt>File</dt>
      <dd>
        <CopyLine text={path} label="Copy path" />
      </dd>
    </dl>
  );
}
