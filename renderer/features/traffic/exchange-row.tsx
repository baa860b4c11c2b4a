import { Pin, StickyNote } from 'lucide-react';
import { memo } from 'react';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { Severity } from '../../../shared/model/insight/finding.ts';
import type { PlacedColumn } from '../../state/column-layout.ts';
import { CELLS } from './cells.tsx';
import { WaterfallBar } from './waterfall/waterfall-bar.tsx';

/** What the texts of a row show. */
interface CellsProps {
  row: ExchangeSummary;
  columns: readonly PlacedColumn[];
  /** Of the row's worst finding, and the titles of all of them; null: none. */
  severity: Severity | null;
  findings: string;
  pinned: boolean;
  /** A user's note; empty: none. */
  note: string;
}

interface RowProps extends CellsProps {
  /** CSS pixels from the top of the list. */
  top: number;
  index: number;
  selected: boolean;
  /** Of several selected rows, the one that the inspector shows. */
  focused: boolean;
  /** The waterfall's axis as two numbers, not an object: `memo` compares props one by one. */
  scaleFrom: number | null;
  scaleSpan: number;
}

/**
 * One row of the list. The grid handles clicks and keys: no row needs listeners. Memoised: with each batch,
 * most rows stay as they are.
 */
export const ExchangeRow = memo(function ExchangeRow(props: RowProps) {
  const { row, columns, top, index, selected, severity, findings, pinned, note } = props;
  return (
    <div
      role="row"
      id={`row-${row.id}`}
      data-exchange={row.id}
      // Counts from 1, and the header is row 1.
      aria-rowindex={index + 2}
      aria-selected={selected}
      className={classOf(props)}
      style={{ top }}
    >
      <TextCells {...{ row, columns, severity, findings, pinned, note }} />
      {columns.at(-1)?.key === 'waterfall' && (
        <span role="gridcell" className="waterfall">
          <WaterfallBar row={row} scale={{ from: props.scaleFrom, span: props.scaleSpan }} />
        </span>
      )}
    </div>
  );
});

/** All cells but the waterfall. Memoised apart: a scroll by one row changes the axis, and with it all bars. */
const TextCells = memo(function TextCells({ row, columns, severity, findings, pinned, note }: CellsProps) {
  return columns.map(({ key }) => {
    if (key === 'waterfall') return null;
    const cell = CELLS[key];
    return (
      <span key={key} role="gridcell" className={cell.className(row)} title={cell.title?.(row)}>
        {(key === 'path' || key === 'url') && <RowNote pinned={pinned} note={note} />}
        {cell.content(row)}
        {key === 'status' && severity && <FindingMark severity={severity} titles={findings} />}
      </span>
    );
  });
});

function classOf({ row, severity, focused }: RowProps): string {
  const mark = row.colour === null ? '' : ` mark mark-${row.colour}`;
  const found = severity === null ? '' : ` found-${severity}`;
  return `row${row.state === 'failed' ? ' failed' : ''}${focused ? ' focused' : ''}${mark}${found}`;
}

/** The shape indicates a finding, the colour its severity. */
function FindingMark({ severity, titles }: { severity: Severity; titles: string }) {
  return <i className={`finding-mark ${severity}`} role="img" aria-label={`Finding, ${severity}`} title={titles} />;
}

/** Marks for what a user noted about the exchange. */
function RowNote({ pinned, note }: { pinned: boolean; note: string }) {
  if (!pinned && note === '') return null;
  return (
    <span className="row-note" title={note}>
      {pinned && <Pin size={11} role="img" aria-label="Pinned" />}
      {note !== '' && <StickyNote size={11} role="img" aria-label={`Note: ${note}`} />}
    </span>
  );
}
