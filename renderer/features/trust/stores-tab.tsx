import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import type { CaStatus } from '../../../shared/contract/requests/ca-requests.ts';
import { counted } from '../../../shared/format/counts.ts';
import type { TrustChange, TrustStoreStatus } from '../../../shared/model/trust-store.ts';
import { Button } from '../../ui/button.tsx';
import { attempt, useApp } from '../app-context.ts';
import { StoreRows } from './store-rows.tsx';

/** Whether a store is selected by default: those that the system's own programs and browsers read. */
function isUsual({ store, id, state }: TrustStoreStatus): boolean {
  if (state === 'unavailable' || state === 'trusted') return false;
  return store === 'keychain' || store === 'windows' || store === 'nss' || (store === 'system' && id === 'system');
}

function countOf(ids: ReadonlySet<string>): string {
  return counted(ids.size, 'store');
}

interface StoresTabProps {
  status: CaStatus;
  /** Gets the state that the host probed after a change. */
  onChange: (status: CaStatus) => void;
}

/** Which stores are selected, and the result of the last change. */
function useStoreChange({ status, onChange }: StoresTabProps) {
  const app = useApp();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(status.stores.filter(isUsual).map(({ id }) => id)),
  );
  const [changes, setChanges] = useState<readonly TrustChange[]>([]);
  const [busy, setBusy] = useState(false);
  const change = async (name: 'ca.install' | 'ca.uninstall', stores: string[]) => {
    // May take long: some stores show a prompt of the system.
    setBusy(true);
    setChanges([]);
    const done = await attempt(app, () => app.api.request(name, { stores }));
    setBusy(false);
    if (!done) return;
    setChanges(done.changes);
    // The selection was for this change; what failed shows its message in the row.
    setChosen(new Set());
    onChange(done.status);
  };
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return { chosen, changes, busy, change, toggle };
}

/** Installs the CA in the selected trust stores, or removes it from one or all of them. */
export function StoresTab(props: StoresTabProps) {
  const { stores } = props.status;
  const { chosen, changes, busy, change, toggle } = useStoreChange(props);
  const ours = stores.filter(({ state }) => state === 'trusted' || state === 'stale');
  // A store without a way to change it (`needs` none) can trust us without being ours to remove.
  const removable = ours.filter(({ needs }) => needs !== 'none').map(({ id }) => id);
  return (
    <>
      <StoreRows stores={stores} {...{ changes, chosen, busy, toggle, change }} />
      {busy && <p className="muted">Working… Your system may ask for confirmation in a separate window.</p>}
      <div className="dialog-actions">
        <Button
          icon={ShieldOff}
          disabled={busy || removable.length === 0}
          onClick={() => void change('ca.uninstall', removable)}
        >
          Remove everywhere
        </Button>
        <Button
          icon={ShieldCheck}
          tone="primary"
          disabled={busy || chosen.size === 0}
          onClick={() => void change('ca.install', [...chosen])}
        >
          {chosen.size === 0 ? 'Trust' : `Trust in ${countOf(chosen)}`}
        </Button>
      </div>
    </>
  );
}
