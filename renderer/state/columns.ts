import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';

export type ColumnKey =
  | 'id'
  | 'method'
  | 'status'
  | 'protocol'
  | 'host'
  | 'path'
  | 'url'
  | 'type'
  | 'size'
  | 'ttfb'
  | 'total'
  | 'waterfall';

export interface Column {
  key: ColumnKey;
  label: string;
  numeric: boolean;
  /** Default width in CSS pixels; 0: takes what the others leave. */
  width: number;
  /** CSS pixels. */
  narrowest: number;
  /** What the column sorts by. */
  value: (row: ExchangeSummary) => number | string;
}

/** Failed exchanges sort after every status. One that was forwarded with a fault keeps its status. */
const statusOf = (row: ExchangeSummary) =>
  row.failureCode === null || (row.state === 'complete' && row.status > 0) ? row.status : 1000;

/** In display order. `url` replaces `host` and `path` where there is no room for both. */
export const COLUMNS: readonly Column[] = [
  { key: 'id', label: '#', numeric: true, width: 64, narrowest: 40, value: (row) => row.id },
  { key: 'method', label: 'Method', numeric: false, width: 82, narrowest: 48, value: (row) => row.method },
  { key: 'status', label: 'Status', numeric: false, width: 84, narrowest: 60, value: statusOf },
  { key: 'protocol', label: 'Protocol', numeric: false, width: 84, narrowest: 60, value: (row) => row.protocol },
  { key: 'host', label: 'Host', numeric: false, width: 150, narrowest: 60, value: (row) => row.authority },
  { key: 'path', label: 'Path', numeric: false, width: 0, narrowest: 180, value: (row) => row.path },
  { key: 'url', label: 'URL', numeric: false, width: 0, narrowest: 180, value: (row) => row.authority + row.path },
  { key: 'type', label: 'Type', numeric: false, width: 92, narrowest: 48, value: (row) => row.mediaType },
  { key: 'size', label: 'Size', numeric: true, width: 70, narrowest: 56, value: (row) => row.responseSize },
  { key: 'ttfb', label: 'TTFB', numeric: true, width: 74, narrowest: 60, value: (row) => row.ttfb },
  { key: 'total', label: 'Total', numeric: true, width: 74, narrowest: 60, value: (row) => row.total },
  { key: 'waterfall', label: 'Waterfall', numeric: false, width: 0, narrowest: 130, value: (row) => row.startedAt },
];

/** Compares rows by a column. Text compares by code unit, which is fast and groups equal values. */
export function compareBy(key: string): (a: ExchangeSummary, b: ExchangeSummary) => number {
  const value = COLUMNS.find((column) => column.key === key)?.value ?? ((row: ExchangeSummary) => row.id);
  return (a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === right) return 0;
    return left < right ? -1 : 1;
  };
}
