import { useCallback, useMemo, useState } from 'react';
import { type ColumnWidths, layoutColumns, type PlacedColumn } from '../../state/column-layout.ts';
import { COLUMNS, type ColumnKey } from '../../state/columns.ts';

/** The key in localStorage: widths belong to this window, not to the host's settings. */
const KEY = 'roundtrip.column-widths';

/** The stored widths, without entries that are not valid: another version may have written them. */
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

/**
 * The columns of a list `width` CSS pixels wide with numbers up to `last`, and a function that sets the width of one;
 * null resets it.
 */
export function useColumns(
  width: number,
  last: number,
): {
  columns: readonly PlacedColumn[];
  resize: (key: ColumnKey, width: number | null) => void;
} {
  const [chosen, setChosen] = useState(read);
  // The list redraws each row when its columns change; only an additional digit counts as a change.
  const digits = last.toString().length;
  const columns = useMemo(() => layoutColumns(width, chosen, digits), [width, chosen, digits]);
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
