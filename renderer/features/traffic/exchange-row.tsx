import { memo } from 'react';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { PlacedColumn } from '../../state/column-layout.ts';
import { CELLS } from './cells.tsx';

interface RowProps {
  row: ExchangeSummary;
  columns: readonly PlacedColumn[];
  top: number;
  index: number;
  selected: boolean;
  scaleFrom: number | null;
  scaleSpan: number;
}

/** Clicks and keys are the grid's: of 100,000 rows, none has a listener. */
export const ExchangeRow = memo(function ExchangeRow(props: RowProps) {
  const { row, columns, top, index, selected } = props;
  const scale = { from: props.scaleFrom, span: props.scaleSpan };
  return (
    <div
      role="row"
      id={`row-${row.id}`}
      data-exchange={row.id}
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={row.state === 'failed' ? 'row failed' : 'row'}
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
