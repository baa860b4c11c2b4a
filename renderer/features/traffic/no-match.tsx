import { Button } from '../../ui/button.tsx';
import { useApp, useTable } from '../app-context.ts';

/** Shown over the empty list while the filter or the time window hides every exchange. */
export function NoMatch() {
  const { store } = useApp();
  const table = useTable();
  return (
    <div className="no-match">
      <p>None of {table.size.toLocaleString('en')} exchanges match the filter.</p>
      <Button onClick={() => store.setState({ query: '', timeWindow: null })}>Show all exchanges</Button>
    </div>
  );
}
