import { Button } from '../../../ui/button.tsx';
import { useApp, useTable, useWindow } from '../../app-context.ts';

/** Shown over the empty list while the filter or the time window hides every exchange. */
export function NoMatch() {
  const { store } = useApp();
  const table = useTable();
  // The search may still find one.
  const searching = useWindow((state) => state.search?.running ?? false);
  if (searching) return null;
  return (
    <div className="no-match">
      <p>None of {table.size.toLocaleString('en')} exchanges match the filter.</p>
      <Button onClick={() => store.setState({ query: '', timeWindow: null })}>Show all exchanges</Button>
    </div>
  );
}
