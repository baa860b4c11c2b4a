import { useEffect, useRef } from 'react';
import { useApp, useWindow } from '../app-context.ts';

/**
 * Scrolls the selected row into view after a filter, time window or sort order moved it. With none, another order begins
 * at the top: a user who sorts wants the first rows. New rows don't scroll.
 */
export function useKeptInSight(reveal: (index: number) => void): void {
  const { store, table } = useApp();
  const query = useWindow((state) => state.query);
  const timeWindow = useWindow((state) => state.timeWindow);
  const order = useWindow((state) => `${state.sortKey} ${state.descending}`);
  const arrangement = useRef({ query, timeWindow, order });
  useEffect(() => {
    const before = arrangement.current;
    if (before.query === query && before.timeWindow === timeWindow && before.order === order) return;
    arrangement.current = { query, timeWindow, order };
    const { selected } = store.getState();
    const index = selected === null ? -1 : table.visible.indexOf(selected);
    if (index >= 0) reveal(index);
    else if (before.order !== order && table.visible.length > 0) reveal(0);
  }, [store, table, reveal, query, timeWindow, order]);
}
