import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';

interface ColumnOptions {
  label: string;
  /** Aligned at the right, where the digits of one place are below each other. */
  numeric?: boolean;
  /** CSS pixels; 0: takes the space that the others leave. */
  width: number;
  /** CSS pixels. */
  narrowest: number;
  /**
   * The lowest of the visible columns disappears first when the list gets too narrow. Without it, a column always
   * stays.
   */
  leaves?: number;
  /** What the list sorts by. */
  value: (row: ExchangeSummary) => number | string;
}

/** A failed exchange sorts as if it had the highest status. */
const statusOf = (row: ExchangeSummary) =>
  row.failureCode === null || (row.state === 'complete' && row.status > 0) ? row.status : 1000;

/** In display order. `url` replaces `host` and `path` if there is no room for both. */
const DEFINED = {
  id: { label: '#', numeric: true, width: 64, narrowest: 40, leaves: 4, value: (row) => row.id },
  method: { label: 'Method', width: 82, narrowest: 48, value: (row) => row.method },
  status: { label: 'Status', width: 94, narrowest: 60, value: statusOf },
  protocol: { label: 'Protocol', width: 84, narrowest: 60, leaves: 2, value: (row) => row.protocol },
  host: { label: 'Host', width: 176, narrowest: 60, leaves: 5, value: (row) => row.authority },
  path: { label: 'Path', width: 0, narrowest: 180, value: (row) => row.path },
  url: { label: 'URL', width: 0, narrowest: 180, value: (row) => row.authority + row.path },
  type: { label: 'Type', width: 92, narrowest: 48, leaves: 1, value: (row) => row.mediaType },
  size: { label: 'Size', numeric: true, width: 70, narrowest: 56, leaves: 3, value: (row) => row.responseSize },
  ttfb: { label: 'TTFB', numeric: true, width: 74, narrowest: 60, leaves: 6, value: (row) => row.ttfb },
  total: { label: 'Total', numeric: true, width: 74, narrowest: 60, leaves: 7, value: (row) => row.total },
  waterfall: { label: 'Waterfall', width: 0, narrowest: 130, leaves: 8, value: (row) => row.startedAt },
} satisfies Record<string, ColumnOptions>;

/** A column's name, as the sort order and the stored widths use it. */
export type ColumnKey = keyof typeof DEFINED;

/** A column and how it is laid out; how it looks is in features/traffic/cells.tsx. */
export interface Column extends ColumnOptions {
  key: ColumnKey;
}

/** All columns in display order, including `url`, which the layout puts in place of `host` and `path`. */
export const COLUMNS: readonly Column[] = Object.entries(DEFINED).map(([key, options]) => ({
  key: key as ColumnKey,
  ...options,
}));

/** What rows are sorted by in a column. */
export function sortValueOf(key: string): Column['value'] {
  return COLUMNS.find((column) => column.key === key)?.value ?? ((row) => row.id);
}
