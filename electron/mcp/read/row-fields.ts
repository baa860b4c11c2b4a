import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';

/** What an agent can ask for of a row. Times are in milliseconds, sizes in bytes on the wire; unknown ones are null. */
const FIELDS = {
  id: (row: ExchangeSummary) => row.id,
  method: (row: ExchangeSummary) => row.method,
  url: (row: ExchangeSummary) => `${row.scheme}://${row.authority}${row.path}`,
  host: (row: ExchangeSummary) => row.authority,
  path: (row: ExchangeSummary) => row.path,
  status: (row: ExchangeSummary) => row.status,
  error: (row: ExchangeSummary) => row.failureCode,
  state: (row: ExchangeSummary) => row.state,
  type: (row: ExchangeSummary) => row.mediaType,
  size: (row: ExchangeSummary) => known(row.responseSize),
  requestSize: (row: ExchangeSummary) => known(row.requestSize),
  total: (row: ExchangeSummary) => known(row.total),
  ttfb: (row: ExchangeSummary) => known(row.ttfb),
  overhead: (row: ExchangeSummary) => known(row.overhead),
  startedAt: (row: ExchangeSummary) => new Date(row.startedAt).toISOString(),
  protocol: (row: ExchangeSummary) => row.protocol,
  kind: (row: ExchangeSummary) => row.kind,
  attempts: (row: ExchangeSummary) => row.attempts,
  connection: (row: ExchangeSummary) => row.upstreamConnection,
  rules: (row: ExchangeSummary) => row.touched,
} as const;

export type RowField = keyof typeof FIELDS;
export const ROW_FIELDS = Object.keys(FIELDS) as RowField[];
export const USUAL_FIELDS: RowField[] = ['id', 'method', 'url', 'status', 'error', 'type', 'size', 'total', 'ttfb'];

/** Secrets in the address are left out; `redactor` learns them. */
export function pick(row: ExchangeSummary, fields: readonly RowField[], redactor: Redactor): Record<string, unknown> {
  const clean = { ...row, path: redactor.learnAddress(row.path) };
  return Object.fromEntries(fields.map((field) => [field, FIELDS[field](clean)]));
}

/** Times have microseconds as decimals. */
function known(figure: number): number | null {
  return figure < 0 ? null : Math.round(figure * 1000) / 1000;
}
