import { type CSSProperties, type RefObject, useEffect, useRef } from 'react';
import { manySelected } from '../../state/row-selection.ts';
import { useWidth } from '../../ui/use-size.ts';
import { useTable, useWindow } from '../app-context.ts';
import { ExchangeRow } from './exchange-row.tsx';
import { grownRow } from './grown-row.ts';
import { ListHeader } from './list-header.tsx';
import { RowMenu } from './row-menu.tsx';
import { useColumns } from './use-columns.ts';
import { useFollow } from './use-follow.ts';
import { useKeptInSight, useSoughtInSight } from './use-kept-in-sight.ts';
import { useListKeys } from './use-list-keys.ts';
import { useRowPointer } from './use-row-pointer.ts';
import { useRowWindow } from './use-row-window.ts';
import { useShownRows } from './use-shown-rows.ts';

/**
 * The rows in view, and what moves the view: new rows, a selection from elsewhere, and the inspector. The order of the
 * hooks matters: `useFollow` must see a scroll before `useRowWindow` draws it.
 */
function useRowsInView(scroller: RefObject<HTMLDivElement | null>, count: number) {
  const inspecting = useWindow((state) => state.inspecting && state.selected !== null);
  const atEnd = useFollow(scroller, count, inspecting);
  const inView = useRowWindow(scroller, count, atEnd);
  useKeptInSight(inView.reveal);
  useSoughtInSight(inView.reveal);
  // The arrow keys keep working after a click opened the inspector. Focusing must not scroll the list.
  useEffect(() => {
    if (inspecting) scroller.current?.focus({ preventScroll: true });
  }, [inspecting, scroller]);
  return inView;
}

/**
 * The list of exchanges, an ARIA grid. It renders only visible rows; focus stays on the grid and
 * `aria-activedescendant` names the selected row, because a row that scrolls out of view is removed.
 */
export function TrafficList() {
  const table = useTable();
  const marks = useWindow((state) => state.insight?.marks ?? null);
  const selected = useWindow((state) => state.selected);
  const many = useWindow(manySelected);
  const scroller = useRef<HTMLDivElement>(null);
  const { columns, resize } = useColumns(useWidth(scroller), table.lastId);
  const inView = useRowsInView(scroller, table.visible.length);
  const onKeyDown = useListKeys(inView.reveal);
  const { onClick, onContextMenu, onMouseDown, menu, closeMenu } = useRowPointer();
  const { rows, now, scale } = useShownRows(inView);
  const layout = { '--columns': columns.map(({ placed }) => `${placed}px`).join(' ') } as CSSProperties;
  return (
    <div
      ref={scroller}
      className="list"
      role="grid"
      aria-label="Exchanges"
      aria-multiselectable="true"
      // Includes the header row.
      aria-rowcount={table.visible.length + 1}
      aria-colcount={columns.length}
      {...(rows.some(({ row }) => row.id === selected) ? { 'aria-activedescendant': `row-${selected}` } : {})}
      tabIndex={0}
      onClick={onClick}
      onMouseDown={onMouseDown}
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
    >
      <div className="list-inner" role="rowgroup" style={{ ...layout, height: inView.totalHeight }}>
        <ListHeader columns={columns} resize={resize} span={rows.length === 0 ? 0 : scale.span} />
        {rows.map(({ row, index, start, slot }) => (
          <ExchangeRow
            key={slot}
            row={grownRow(row, now)}
            columns={columns}
            index={index}
            top={start}
            selected={many === null ? row.id === selected : many.ids.has(row.id)}
            focused={many !== null && row.id === selected}
            severity={marks?.get(row.id)?.severity ?? null}
            findings={marks?.get(row.id)?.titles ?? ''}
            pinned={table.edits.isPinned(row.id)}
            note={table.edits.markOf(row.id).note}
            scaleFrom={scale.from}
            scaleSpan={scale.span}
          />
        ))}
      </div>
      {menu && <RowMenu place={menu} onClose={closeMenu} />}
    </div>
  );
}
