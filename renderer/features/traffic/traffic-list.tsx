import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef } from 'react';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { COLUMNS } from '../../state/columns.ts';
import { useApp, useTable, useWindow } from '../app-context.ts';
import { ExchangeRow } from './exchange-row.tsx';
import { ListHeader } from './list-header.tsx';
import { useFollow } from './use-follow.ts';
import { useListKeys } from './use-list-keys.ts';

export const ROW_HEIGHT = 28;
const HEADER_HEIGHT = 29;

/** The bars of the rows on screen share one axis of time; sorted otherwise, they all begin at the left. */
function scaleOf(rows: readonly ExchangeSummary[], byTime: boolean): { from: number | null; span: number } {
  if (!byTime) return { from: null, span: Math.max(1, ...rows.map((row) => row.total)) };
  const from = Math.min(...rows.map((row) => row.startedAt));
  const to = Math.max(...rows.map((row) => row.startedAt + row.total));
  return { from, span: Math.max(1, to - from) };
}

export function TrafficList() {
  const { store } = useApp();
  const table = useTable();
  const selected = useWindow((state) => state.selected);
  const sortKey = useWindow((state) => state.sortKey);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: table.visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    paddingStart: HEADER_HEIGHT,
    scrollPaddingStart: HEADER_HEIGHT,
  });
  const select = useCallback(
    (id: number, open: boolean) =>
      store.setState(({ inspecting }) => ({ selected: id, inspecting: inspecting || open })),
    [store],
  );
  useFollow(scroller, table.visible.length);
  const onKeyDown = useListKeys((index) => virtual.scrollToIndex(index));
  const inspecting = useWindow((state) => state.inspecting);
  useEffect(() => {
    if (inspecting) scroller.current?.focus({ preventScroll: true });
  }, [inspecting]);
  const items = virtual.getVirtualItems();
  const rows = items.flatMap(({ index, start }) => {
    const row = table.row(table.visible[index] ?? 0);
    return row ? [{ row, index, start }] : [];
  });
  const scale = scaleOf(
    rows.map(({ row }) => row),
    sortKey === 'id' || sortKey === 'waterfall',
  );
  return (
    <div
      ref={scroller}
      className="list"
      role="grid"
      aria-label="Exchanges"
      aria-rowcount={table.visible.length + 1}
      aria-colcount={COLUMNS.length}
      {...(selected === null ? {} : { 'aria-activedescendant': `row-${selected}` })}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className="list-inner" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        <ListHeader />
        {rows.map(({ row, index, start }) => (
          <ExchangeRow
            key={row.id}
            row={row}
            index={index}
            top={start}
            selected={row.id === selected}
            scaleFrom={scale.from}
            scaleSpan={scale.span}
            onSelect={select}
          />
        ))}
      </div>
    </div>
  );
}
