import { useEffect, useRef } from 'react';
import { useApp, useWindow } from '../app-context.ts';

/** Scrolls the selected row into view after a filter, time window or sort order moved it. New rows don't scroll. */
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
  }, [store, table, reveal, query, timeWindow, order]);
}
