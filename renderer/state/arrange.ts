import { compileFilter } from '../../shared/filter/compile.ts';
import type { Predicate } from '../../shared/filter/query.ts';
import { compareBy } from './columns.ts';
import type { ExchangeTable } from './exchange-table.ts';
import type { WindowStore } from './window-state.ts';

/**
 * Applies the window's query, time window and sort order to the table. An invalid query sets `queryProblem` and leaves
 * the shown rows as they are, so the list does not jump while the user types.
 */
export function keepArranged(store: WindowStore, table: ExchangeTable): void {
  function arrange(): void {
    const { query, timeWindow, sortKey, descending } = store.getState();
    const filter = compileFilter(query);
    store.setState({ queryProblem: filter.ok ? null : filter.problem });
    if (!filter.ok) return;
    const inTime: Predicate = (row) =>
      timeWindow === null || (row.startedAt >= timeWindow.from && row.startedAt < timeWindow.to);
    // Ascending ids are the order of arrival, which the table keeps without sorting.
    const sorting = sortKey === 'id' && !descending ? null : { key: sortKey, descending, compare: compareBy(sortKey) };
    table.arrange((row) => inTime(row) && filter.matches(row), sorting);
  }
  store.subscribe((now, before) => {
    const same =
      now.query === before.query &&
      now.timeWindow === before.timeWindow &&
      now.sortKey === before.sortKey &&
      now.descending === before.descending;
    if (!same) arrange();
  });
}
