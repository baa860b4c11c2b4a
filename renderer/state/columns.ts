import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';

export interface Column {
  key: string;
  label: string;
  numeric: boolean;
  value: (row: ExchangeSummary) => number | string;
}

/** A failed exchange sorts as if it had the highest status of all. */
const statusOf = (row: ExchangeSummary) => (row.failureCode === null ? row.status : 1000);

export const COLUMNS: readonly Column[] = [
  { key: 'id', label: '#', numeric: true, value: (row) => row.id },
  { key: 'method', label: 'Method', numeric: false, value: (row) => row.method },
  { key: 'status', label: 'Status', numeric: false, value: statusOf },
  { key: 'protocol', label: 'Protocol', numeric: false, value: (row) => row.protocol },
  { key: 'host', label: 'Host', numeric: false, value: (row) => row.authority },
  { key: 'path', label: 'Path', numeric: false, value: (row) => row.path },
  { key: 'type', label: 'Type', numeric: false, value: (row) => row.mediaType },
  { key: 'size', label: 'Size', numeric: true, value: (row) => row.responseSize },
  { key: 'ttfb', label: 'TTFB', numeric: true, value: (row) => row.ttfb },
  { key: 'total', label: 'Total', numeric: true, value: (row) => row.total },
  {
    key: 'waterfall',
    label: 'Waterfall',

    numeric: false,
    value: (row) => row.startedAt,
  },
];

/** How rows compare by a column; names compare by code unit, which is fast and puts like beside like. */
export function compareBy(key: string): (a: ExchangeSummary, b: ExchangeSummary) => number {
  const value = COLUMNS.find((column) => column.key === key)?.value ?? ((row: ExchangeSummary) => row.id);
  return (a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === right) return 0;
    return left < right ? -1 : 1;
  };
}
