import { Button } from '../../../ui/button.tsx';
import { useApp, useTable, useWindow } from '../../app-context.ts';
import { noMatchText } from './no-match-text.ts';

/** Shown over the empty list while the filter or the time window hides every exchange. */
export function NoMatch() {
  const { store } = useApp();
  const table = useTable();
  // The search may still find one.
  const search = useWindow((state) => state.search);
  if (search?.running) return null;
  return (
    <div className="no-match">
      <p>{noMatchText(table.size, search)}</p>
      <Button onClick={() => store.setState({ query: '', timeWindow: null })}>Show all exchanges</Button>
    </div>
  );
}
