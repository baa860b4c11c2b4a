import { compileFilter } from '../../shared/filter/compile.ts';
import type { Predicate, QueryProblem } from '../../shared/filter/query.ts';
import { compileSearch } from '../../shared/filter/search.ts';
import { sortValueOf } from './columns.ts';
import type { ExchangeTable } from './exchange-table.ts';
import type { WindowState, WindowStore } from './window-state.ts';

/**
 * Applies the window's query, time window and sort order to the table. An invalid query sets `queryProblem` and leaves
 * the shown rows as they are: the list does not jump while the user types. A query that looks into recorded
 * content does too, until its search begins; then its results are shown.
 */
export function keepArranged(store: WindowStore, table: ExchangeTable): void {
  function arrange(): void {
    const state = store.getState();
    const { timeWindow, sortKey, descending } = state;
    const { matches, problem } = predicateOf(state, table);
    store.setState({ queryProblem: problem });
    if (matches === null) return;
    const inTime: Predicate = (row) =>
      timeWindow === null || (row.startedAt >= timeWindow.from && row.startedAt < timeWindow.to);
    // Ascending ids are the order of arrival, which the table keeps without sorting.
    const sorting = sortKey === 'id' && !descending ? null : { key: sortKey, descending, value: sortValueOf(sortKey) };
    table.arrange({ matches: (row) => inTime(row) && matches(row), sorting });
  }
  store.subscribe((now, before) => {
    const same =
      now.query === before.query &&
      now.search === before.search &&
      now.timeWindow === before.timeWindow &&
      now.sortKey === before.sortKey &&
      now.descending === before.descending;
    if (!same) arrange();
    // Several selected rows are rows that are shown: actions on them must not affect hidden ones.
    const hides = now.query !== before.query || now.timeWindow !== before.timeWindow || now.search !== before.search;
    if (hides && now.selection !== null) store.setState({ selection: null });
  });
}

/** `matches`: null while the shown rows must stay. */
function predicateOf(
  { query, search }: WindowState,
  table: ExchangeTable,
): { matches: Predicate | null; problem: QueryProblem | null } {
  const asked = compileSearch(query);
  if (!asked.ok) return { matches: null, problem: asked.problem };
  if (asked.search.rowsOnly) {
    const filter = compileFilter(query);
    return { matches: filter.ok ? filter.matches : null, problem: null };
  }
  const isOurs = search?.query === query && search.session === table.sessionId;
  return { matches: isOurs ? (row) => search.found.has(row.id) : null, problem: null };
}
