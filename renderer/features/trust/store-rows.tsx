import type { TrustChange, TrustStoreStatus } from '../../../shared/model/trust-store.ts';
import { Button } from '../../ui/button.tsx';

/** `stale`: the store has an earlier Roundtrip CA, not the current one. */
const STATES: Record<TrustStoreStatus['state'], string> = {
  trusted: 'Trusted',
  'not-trusted': 'Not trusted',
  stale: 'Older CA',
  unavailable: 'Not available',
};

/** Whose confirmation a change of the store needs; shown under its state. */
const NEEDS: Record<TrustStoreStatus['needs'], string> = {
  nobody: '',
  user: 'Needs your confirmation',
  administrator: 'Needs an administrator',
  none: '',
};

interface StoreRowsProps {
  stores: readonly TrustStoreStatus[];
  /** Results of the last install or removal; each row shows its result instead of its detail. */
  changes: readonly TrustChange[];
  /** Ids of the stores that Trust would change. */
  chosen: ReadonlySet<string>;
  /** A change is under way. The system may ask the user for a confirmation meanwhile. */
  busy: boolean;
  toggle: (id: string) => void;
  change: (name: 'ca.install' | 'ca.uninstall', stores: string[]) => Promise<void>;
}

/** The trust stores of this machine with their probed state, and a checkbox for each that can be changed. */
export function StoreRows(props: StoreRowsProps) {
  return (
    <ul className="stores" aria-label="Trust stores">
      {props.stores.map((store) => (
        <StoreRow key={store.id} {...props} row={store} />
      ))}
    </ul>
  );
}

/** One store: checkbox to trust, state, and a button to remove ours. A store that nobody can change has neither. */
function StoreRow({ row, changes, chosen, busy, toggle, change }: StoreRowsProps & { row: TrustStoreStatus }) {
  const { id, label, state, detail, needs } = row;
  const done = changes.find((one) => one.id === id);
  const ours = state === 'trusted' || state === 'stale';
  const changeable = state !== 'unavailable' && needs !== 'none';
  return (
    <li className={changeable ? '' : 'fixed'}>
      {changeable && state !== 'trusted' ? (
        <input
          type="checkbox"
          aria-label={`Trust in ${label}`}
          checked={chosen.has(id)}
          disabled={busy}
          onChange={() => toggle(id)}
        />
      ) : (
        <span className="check-space" />
      )}
      <div>
        <b>{label}</b>
        {done === undefined ? (
          <small>{detail}</small>
        ) : (
          <small className={done.ok ? 'ok' : 'bad'}>{done.message}</small>
        )}
      </div>
      <StoreState state={state} needs={changeable ? NEEDS[needs] : ''} />
      <div className="store-action">
        {changeable && ours && (
          <Button tone="quiet" disabled={busy} onClick={() => void change('ca.uninstall', [id])}>
            Remove
          </Button>
        )}
      </div>
    </li>
  );
}

function StoreState({ state, needs }: { state: TrustStoreStatus['state']; needs: string }) {
  return (
    <div className="store-state">
      <span className={`state ${state}`}>
        <i className={`dot ${state}`} />
        {STATES[state]}
      </span>
      {needs !== '' && <small>{needs}</small>}
    </div>
  );
}
