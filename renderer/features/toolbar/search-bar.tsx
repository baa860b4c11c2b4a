import { RefreshCw, Square } from 'lucide-react';
import { runSearch } from '../../sync/content-search.ts';
import { Button } from '../../ui/button.tsx';
import { attempt, useApp, useTableValue, useWindow } from '../app-context.ts';

/** Progress of the search in recorded content, with a button that stops it; then its results. */
export function SearchBar() {
  const app = useApp();
  const search = useWindow((state) => state.search);
  const size = useTableValue((table) => table.size);
  if (search === null) return null;
  const { running, searched, total, found, problem, session, query } = search;
  const count = (number: number) => number.toLocaleString('en');
  // A completed search has covered all of them.
  const isPart = !running && problem === null && searched < total;
  // Rows that arrived too late for this search: another search would cover them.
  const fresh = running ? 0 : size - total;
  return (
    <div className="search-bar">
      {problem ? (
        <span className="problem-text" role="alert">
          {problem}
        </span>
      ) : (
        <span role="status">
          {running ? `Searched ${count(searched)} of ${count(total)}` : `Searched ${count(searched)}`} exchanges:{' '}
          {count(found.size)} found
          {isPart && `, stopped before the other ${count(total - searched)}`}
          {fresh > 0 && `, ${count(fresh)} arrived since`}
        </span>
      )}
      {running && <progress aria-label="Search" max={Math.max(total, 1)} value={searched} />}
      <span className="spring" />
      {running ? (
        <Button tone="quiet" icon={Square} onClick={() => void attempt(app, () => app.api.request('search.stop', {}))}>
          Stop
        </Button>
      ) : (
        <Button tone="quiet" icon={RefreshCw} onClick={() => void runSearch(app.api, app.store, session, query)}>
          Search again
        </Button>
      )}
    </div>
  );
}
