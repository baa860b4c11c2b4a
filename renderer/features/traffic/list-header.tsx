import { ArrowDown, ArrowUp } from 'lucide-react';
import { COLUMNS } from '../../state/columns.ts';
import { useApp, useWindow } from '../app-context.ts';

export function ListHeader() {
  const { store } = useApp();
  const sortKey = useWindow((state) => state.sortKey);
  const descending = useWindow((state) => state.descending);
  const sortBy = (key: string) => {
    if (key !== sortKey) store.setState({ sortKey: key, descending: false });
    else if (!descending) store.setState({ descending: true });
    else store.setState({ sortKey: 'id', descending: false });
  };
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <div role="row" aria-rowindex={1} className="list-header">
      {COLUMNS.map(({ key, label, numeric }) => (
        <div
          key={key}
          role="columnheader"
          aria-sort={key !== sortKey ? 'none' : descending ? 'descending' : 'ascending'}
          className={numeric ? 'number' : ''}
        >
          <button type="button" onClick={() => sortBy(key)}>
            {label}
            {key === sortKey && <Arrow size={11} aria-hidden="true" />}
          </button>
        </div>
      ))}
    </div>
  );
}
