import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import { urlOf } from '../../../shared/format/url.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { summaryNow } from '../../../shared/model/exchange-summary.ts';
import { durationColumns } from './duration-columns.ts';
import type { WriteExport } from './export-job.ts';
import { exportText } from './export-text.ts';
import { type ExportedExchange, exportedExchanges } from './exported-exchanges.ts';

type Cell = string | number | null;

/** The columns in order. Durations in milliseconds, sizes in bytes; unknown values are empty. */
const COLUMNS: Record<string, (exchange: Exchange) => Cell> = {
  id: ({ id }) => id,
  started: ({ startedAt }) => new Date(startedAt).toISOString(),
  kind: ({ kind }) => kind,
  state: ({ state }) => state,
  method: ({ request }) => request.method,
  url: ({ request }) => urlOf(request),
  status: ({ response }) => response?.status ?? null,
  protocol: ({ client }) => (client.protocol === 'unknown' ? null : client.protocol),
  type: (exchange) => summaryNow(exchange).mediaType,
  request_bytes: ({ request }) => known(request.body.size),
  response_bytes: ({ response }) => response && known(response.body.size),
  ...durationColumns(known),
  server: ({ upstream }) => upstream?.remoteAddress ?? null,
  failure: ({ failure }) => failure?.code ?? null,
};

/** A row for each exchange, after a header line (RFC 4180). */
export const exportCsv: WriteExport = (reader, job, onProgress, signal) => {
  const parts = {
    head: line(Object.keys(COLUMNS)),
    textOf: ({ exchange }: ExportedExchange) => csvRow(exchange, job.redactor),
  };
  return exportText(job.path, parts, exportedExchanges(reader, job, onProgress, signal), signal);
};

const CELLS = Object.values(COLUMNS);

/** Only its URL may hold secrets. */
export function csvRow(recorded: Exchange, redactor: Redactor | null): string {
  const exchange = redactor?.address(recorded) ?? recorded;
  return line(CELLS.map((cell) => cell(exchange)));
}

function known(measure: number): number | null {
  return measure < 0 ? null : Math.round(measure * 1000) / 1000;
}

function line(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/** A text that a spreadsheet would read as a formula gets an apostrophe (CWE-1236). */
function quoted(cell: Cell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
