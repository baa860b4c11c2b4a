import { ArrowDown, ArrowUp } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { formatDuration } from '../../../shared/format/durations.ts';
import type { PlacedColumn } from '../../state/column-layout.ts';
import type { ColumnKey } from '../../state/columns.ts';
import { useRovingFocus } from '../../ui/use-roving-focus.ts';
import { useApp, useWindow } from '../app-context.ts';
import { ColumnHandle } from './column-handle.tsx';

/** CSS pixels per key press. */
const STEP = 10;

interface HeaderProps {
  columns: readonly PlacedColumn[];
  /** A width in CSS pixels; null resets the column. */
  resize: (key: ColumnKey, width: number | null) => void;
  /** The span of the waterfall's axis, milliseconds; 0: no row is shown. */
  span: number;
}

/** The change of a column's width that a key asks for, CSS pixels; null: it resizes nothing. */
function stepOf({ key, shiftKey }: KeyboardEvent): number | null {
  return (shiftKey && { ArrowLeft: -STEP, ArrowRight: STEP }[key]) || null;
}

/**
 * The column headers: one tab stop, in which the arrow keys move between headers and, with Shift, resize them. A click
 * sorts ascending, then descending, then by arrival again.
 */
export function ListHeader({ columns, resize, span }: HeaderProps) {
  const { store } = useApp();
  const sortKey = useWindow((state) => state.sortKey);
  const descending = useWindow((state) => state.descending);
  const roving = useRovingFocus(columns.length);
  const sortBy = (key: string) => {
    if (key !== sortKey) store.setState({ sortKey: key, descending: false });
    else if (!descending) store.setState({ descending: true });
    else store.setState({ sortKey: 'id', descending: false });
  };
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <div role="row" aria-rowindex={1} className="list-header">
      {columns.map(({ key, label, numeric, placed }, index) => (
        <div
          key={key}
          role="columnheader"
          aria-sort={key !== sortKey ? 'none' : descending ? 'descending' : 'ascending'}
          className={numeric ? 'number' : ''}
        >
          <button
            type="button"
            {...roving.props(index)}
            title={`Sort by ${label}. Shift + arrow keys to resize.`}
            aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
            onClick={() => sortBy(key)}
            onKeyDown={(event) => {
              const step = stepOf(event);
              if (step === null) roving.onKeyDown(event);
              // The last column takes what is left.
              else if (index < columns.length - 1) resize(key, placed + step);
            }}
          >
            {label}
            {key === sortKey && <Arrow size={11} aria-hidden="true" />}
          </button>
          {key === 'waterfall' && span > 0 && <span className="span">{formatDuration(span)}</span>}
          {index < columns.length - 1 && <ColumnHandle width={placed} resize={(width) => resize(key, width)} />}
        </div>
      ))}
    </div>
  );
}
