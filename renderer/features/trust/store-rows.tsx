import type { TrustStoreName, TrustStoreStatus } from '../../../shared/model/trust-store.ts';
import { Button } from '../../ui/button.tsx';

const STATES: Record<TrustStoreStatus['state'], string> = {
  trusted: 'Trusted',
  'not-trusted': 'Not trusted',
  stale: 'Trusts an older CA',
  unavailable: 'Not available',
};

interface StoreRowsProps {
  stores: readonly TrustStoreStatus[];
  busy: boolean;
  change: (name: 'ca.install' | 'ca.uninstall', stores: TrustStoreName[]) => Promise<void>;
}

/** Each store as a probe just found it. */
export function StoreRows({ stores, busy, change }: StoreRowsProps) {
  return (
    <ul className="stores" aria-label="Trust stores">
      {stores.map(({ store, label, state, detail }) => (
        <li key={`${store}${label}`}>
          <i className={`dot ${state}`} />
          <div>
            <b>{label}</b>
            <small>{detail}</small>
          </div>
          <span className={state}>{STATES[state]}</span>
          {state !== 'unavailable' && (
            <Button
              tone="quiet"
              disabled={busy}
              onClick={() => void change(state === 'trusted' ? 'ca.uninstall' : 'ca.install', [store])}
            >
              {state === 'trusted' ? 'Remove' : 'Install'}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
