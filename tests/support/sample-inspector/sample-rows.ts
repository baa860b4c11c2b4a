import type { ExchangeSummary, SummaryRow } from '../../../shared/model/exchange-summary.ts';
import { ABSENT, SUMMARY_NAMES } from '../../../shared/model/summary-columns.ts';
import { totalTime } from '../../../shared/model/timings.ts';

const PATHS = [
  '/',
  '/assets/app.js',
  '/api/v2/users?limit=50',
  '/images/hero.webp',
  '/assets/main.css',
  '/api/v2/orders/8841',
];
const TYPES = ['text/html', 'text/javascript', 'application/json', 'image/webp', 'text/css', 'application/json'];
const STATUSES = [200, 200, 200, 304, 200, 404, 200, 500, 201, 302];

/** Columns that were added later have the value here that rows of older sessions have. */
const { failedTries, rules, rulesResponse, rulesSend, unsplit, ...LATER_COLUMNS } = ABSENT;

/** A believable row; the same for the same id. */
export function sampleRow(id: number, change: Partial<ExchangeSummary> = {}): ExchangeSummary {
  const fresh = id % 9 === 0;
  const failed = id % 37 === 0;
  const wait = 12 + ((id * 7919) % 180);
  const timings = {
    blocked: 0.3,
    ...{ failedTries, rules, rulesResponse, rulesSend, unsplit },
    dns: fresh ? 4 : -1,
    connect: fresh ? 31 : -1,
    ssl: fresh ? 19 : -1,
    send: 0.2,
    wait: failed ? -1 : wait,
    receive: failed ? -1 : 2 + (id % 23),
    overheadRequest: 0.18,
    overheadResponse: 0.12,
  };
  return {
    ...LATER_COLUMNS,
    id,
    revision: 1,
    kind: 'http',
    state: failed ? 'failed' : 'complete',
    startedAt: 1_795_219_200_000 + id * 14,
    method: ['GET', 'GET', 'POST', 'GET', 'PUT', 'GET', 'DELETE'][id % 7] ?? 'GET',
    scheme: 'https',
    authority: ['app.example.com', 'api.example.com', 'cdn.example.net'][id % 3] ?? 'a.test',
    path: PATHS[id % 6] ?? '/',
    status: failed ? 0 : (STATUSES[id % 10] ?? 200),
    protocol: id % 4 === 0 ? 'http/1.1' : 'h2',
    mediaType: TYPES[id % 6] ?? '',
    requestSize: 0,
    responseSize: (id * 3571) % 240_000,
    timings,
    ttfb: timings.wait,
    total: totalTime(timings),
    overhead: 0.3,
    clientConnection: 1,
    upstreamConnection: 2,
    attempts: 1,
    failureCode: failed ? 'upstream.connect-refused' : null,
    ...change,
  };
}

/** The cells of a row. */
export function cellsOf(row: ExchangeSummary): SummaryRow {
  const cells: Record<string, unknown> = { ...row, ...row.timings };
  return SUMMARY_NAMES.map((name) => cells[name]);
}

/** The same row as it is sent. */
export function sampleCells(id: number, change: Partial<ExchangeSummary> = {}): SummaryRow {
  return cellsOf(sampleRow(id, change));
}
