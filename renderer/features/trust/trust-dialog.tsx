import { AlertTriangle } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { CaStatus } from '../../../shared/contract/requests/ca-requests.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogTabs } from '../../ui/dialog-tabs.tsx';
import { attempt, useApp } from '../app-context.ts';
import { CertificateTab } from './certificate-tab.tsx';
import { StoresTab } from './stores-tab.tsx';

const TABS = ['Stores', 'Certificate'] as const;

/** The CA and this machine's trust stores. The stores are probed each time the dialog opens. */
export function TrustDialog() {
  const app = useApp();
  const [status, setStatus] = useState<CaStatus | null>(null);
  const [tab, setTab] = useState<(typeof TABS)[number]>('Stores');
  // The toolbar's dot reflects what is found and changed here.
  const show = useCallback(
    (next: CaStatus) => {
      setStatus(next);
      app.store.setState({ trusted: next.stores.some(({ state }) => state === 'trusted') });
    },
    [app],
  );
  useEffect(() => {
    void attempt(app, () => app.api.request('ca.status', {})).then((found) => found && show(found));
  }, [app, show]);
  return (
    <Dialog title="CA trust" onClose={() => app.store.setState({ panel: null })}>
      <DialogTabs label="CA trust" names={TABS} selected={tab} onSelect={setTab}>
        {/* Above the tab's content, because notices concern the CA and so both tabs. */}
        {status?.notices.map(({ code, message }) => (
          <p key={code} className="notice" role="alert">
            <AlertTriangle size={15} aria-hidden="true" />
            <span>
              {message} <code>{code}</code>
            </span>
          </p>
        ))}
        {status === null && <p className="muted">Checking trust stores…</p>}
        {status && tab === 'Stores' && <StoresTab status={status} onChange={show} />}
        {status && tab === 'Certificate' && <CertificateTab status={status} onChange={show} />}
      </DialogTabs>
    </Dialog>
  );
}
