import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type MouseEvent, useEffect, useRef, useState } from 'react';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { useWidth } from '../../ui/use-size.ts';
import { useApp, useTable, useWindow } from '../app-context.ts';
import { useHostNow } from '../use-host-now.ts';
import { ExchangeRow } from './exchange-row.tsx';
import { axisSpan, grownRow } from './grown-row.ts';
import { ListHeader } from './list-header.tsx';
import { type MenuPlace, menuPlace, RowMenu } from './row-menu.tsx';
import { useColumns } from './use-columns.ts';
import { useFollow } from './use-follow.ts';
import { useKeptInSight } from './use-kept-in-sight.ts';
import { useListKeys } from './use-list-keys.ts';
import type { WaterfallScale } from './waterfall-bar.tsx';

export const ROW_HEIGHT = 28;
const HEADER_HEIGHT = 29;
/** Rows beyond what is on screen: a wheel's step is three or four. */
const OVERSCAN = 4;

/** The bars of the rows on screen share one axis of time; sorted otherwise, they all begin at the left. */
function scaleOf(rows: readonly ExchangeSummary[], byTime: boolean, now: number): WaterfallScale {
  if (!byTime || rows.length === 0) return { from: null, span: axisSpan(rows, () => 0, now) };
  const from = Math.min(...rows.map((row) => row.startedAt));
  return { from, span: axisSpan(rows, (row) => row.startedAt - from, now) };
}

function exchangeAt(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest('[data-exchange]') : null;
  return row === null ? null : Number(row.getAttribute('data-exchange'));
}

export function TrafficList() {
  const { store } = useApp();
  const table = useTable();
  const selected = useWindow((state) => state.selected);
  const sortKey = useWindow((state) => state.sortKey);
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, resize } = useColumns(useWidth(scroller));
  const virtual = useVirtualizer({
    count: table.visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    paddingStart: HEADER_HEIGHT,
    scrollPaddingStart: HEADER_HEIGHT,
  });
  const onKeyDown = useListKeys((index) => virtual.scrollToIndex(index));
  const inspecting = useWindow((state) => state.inspecting && state.selected !== null);
  useFollow(scroller, virtual, inspecting);
  useKeptInSight((index) => virtual.scrollToIndex(index, { align: 'auto' }));
  useEffect(() => {
    if (inspecting) scroller.current?.focus({ preventScroll: true });
  }, [inspecting]);
  const onClick = (event: MouseEvent) => {
    const id = exchangeAt(event.target);
    if (id !== null) store.setState({ selected: id, inspecting: true });
  };
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const onContextMenu = (event: MouseEvent) => {
    const id = exchangeAt(event.target) ?? store.getState().selected;
    const place = id === null ? null : menuPlace(id, event);
    if (place === null) return;
    event.preventDefault();
    store.setState({ selected: place.row });
    setMenu(place);
  };
  const rows = virtual.getVirtualItems().flatMap(({ index, start }) => {
    const row = table.row(table.visible[index] ?? 0);
    return row ? [{ row, index, start }] : [];
  });
  const { startIndex, endIndex } = virtual.range ?? { startIndex: 0, endIndex: 0 };
  const onScreen = rows.filter(({ index }) => index >= startIndex && index <= endIndex).map(({ row }) => row);
  const now = useHostNow(rows.some(({ row }) => row.state === 'open'));
  const scale = scaleOf(onScreen, sortKey === 'id' || sortKey === 'waterfall', now);
  const layout = { '--columns': columns.map(({ placed }) => `${placed}px`).join(' ') } as CSSProperties;
  return (
    <div
      ref={scroller}
      className="list"
      role="grid"
      aria-label="Exchanges"
      aria-rowcount={table.visible.length + 1}
      aria-colcount={columns.length}
      {...(rows.some(({ row }) => row.id === selected) ? { 'aria-activedescendant': `row-${selected}` } : {})}
      tabIndex={0}
      onClick={onClick}
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
    >
      <div className="list-inner" role="rowgroup" style={{ ...layout, height: virtual.getTotalSize() }}>
        <ListHeader columns={columns} resize={resize} span={rows.length === 0 ? 0 : scale.span} />
        {rows.map(({ row, index, start }) => (
          <ExchangeRow
            key={row.id}
            row={grownRow(row, now)}
            columns={columns}
            index={index}
            top={start}
            selected={row.id === selected}
            scaleFrom={scale.from}
            scaleSpan={scale.span}
          />
        ))}
      </div>
      {menu && <RowMenu place={menu} onClose={() => setMenu(null)} />}
    </div>
  );
}
