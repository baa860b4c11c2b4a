import { memo } from 'react';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { PlacedColumn } from '../../state/column-layout.ts';
import { CELLS } from './cells.tsx';

interface RowProps {
  row: ExchangeSummary;
  columns: readonly PlacedColumn[];
  /** CSS pixels from the top of the list. */
  top: number;
  index: number;
  selected: boolean;
  /** The waterfall's axis as two numbers, not an object: `memo` compares props one by one. */
  scaleFrom: number | null;
  scaleSpan: number;
}

/** One row of the list. The grid handles clicks and keys, so that no row needs listeners. */
export const ExchangeRow = memo(function ExchangeRow(props: RowProps) {
  const { row, columns, top, index, selected } = props;
  const scale = { from: props.scaleFrom, span: props.scaleSpan };
  return (
    <div
      role="row"
      id={`row-${row.id}`}
      data-exchange={row.id}
      // Counts from 1, and the header is row 1.
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={`row${row.state === 'failed' ? ' failed' : ''}${row.colour === null ? '' : ` mark mark-${row.colour}`}`}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map(({ key }) => {
        const cell = CELLS[key];
        return (
          <span key={key} role="gridcell" className={cell.className(row)} title={cell.title?.(row)}>
            {cell.content(row, scale)}
          </span>
        );
      })}
    </div>
  );
});
