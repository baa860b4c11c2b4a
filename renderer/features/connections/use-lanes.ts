import { useEffect, useRef, useState } from 'react';
import { type Lane, lanesOf, type Side } from '../../../shared/insight/connections/lanes.ts';
import type { ExchangeTable } from '../../state/exchange-table.ts';
import { useApp } from '../app-context.ts';

/** Milliseconds between two updates while rows arrive: grouping 100,000 rows takes some 100 ms. */
const PACE = 2000;

/** Views, one at a time: summaries of a million rows would take seconds, and evict those on screen. */
function* shownRows(table: ExchangeTable) {
  for (const id of table.visible) {
    const row = table.view(id);
    if (row) yield row;
  }
}

/** The connections of the rows that the filter shows, updated at most every two seconds. */
export function useLanes(side: Side): Lane[] {
  const { table } = useApp();
  const [lanes, setLanes] = useState(() => lanesOf(shownRows(table), side));
  // The first render has grouped these already.
  const grouped = useRef({ table, side });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      timer = undefined;
      setLanes(lanesOf(shownRows(table), side));
    };
    if (grouped.current.table !== table || grouped.current.side !== side) update();
    grouped.current = { table, side };
    const end = table.changes.subscribe(() => {
      timer ??= setTimeout(update, PACE);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [table, side]);
  return lanes;
}
