import { useCallback, useMemo, useState } from 'react';
import { type ColumnWidths, layoutColumns, type PlacedColumn } from '../../state/column-layout.ts';
import { COLUMNS, type ColumnKey } from '../../state/columns.ts';

const KEY = 'roundtrip.column-widths';

/** What was kept, as far as it is what it should be. */
function read(): ColumnWidths {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const entries = Object.entries(kept ?? {}).filter(
      ([key, width]) => COLUMNS.some((column) => column.key === key) && Number.isFinite(width),
    );
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}

/** The columns of a list so wide, and what changes one's width; null gives it its own again. */
export function useColumns(width: number): {
  columns: readonly PlacedColumn[];
  resize: (key: ColumnKey, width: number | null) => void;
} {
  const [chosen, setChosen] = useState(read);
  const columns = useMemo(() => layoutColumns(width, chosen), [width, chosen]);
  const resize = useCallback((key: ColumnKey, wanted: number | null) => {
    setChosen((before) => {
      const { [key]: _old, ...others } = before;
      const now = wanted === null ? others : { ...others, [key]: Math.round(wanted) };
      localStorage.setItem(KEY, JSON.stringify(now));
      return now;
    });
  }, []);
  return { columns, resize };
}
