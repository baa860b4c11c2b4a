import { pathTemplate } from '../../../shared/format/path-template.ts';
import { traceIdOf } from '../../../shared/format/trace-context.ts';
import { queryOf, withoutQuery } from '../../../shared/format/url.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Attempt, Exchange } from '../../../shared/model/exchange.ts';
import { summaryNow } from '../../../shared/model/exchange-summary.ts';
import { firstHeader, headerPairs } from '../../../shared/model/headers.ts';
import type { Finding } from '../../../shared/model/insight/finding.ts';
import { durationColumns } from '../export/duration-columns.ts';
import type { Cell, Column, Columns, ColumnType } from './table-writer.ts';

/** In every row: the session's id, and the SOURCE as given. */
export interface FromSource {
  session: string;
  source: string;
}

export interface ExchangeRow extends FromSource {
  exchange: Exchange;
  /** Decoded; null: not requested, empty, or not fully recorded. */
  requestBody: Uint8Array | null;
  responseBody: Uint8Array | null;
}

/** Unknown values are below 0 in a session. */
function known(measure: number): number | null {
  return measure < 0 ? null : measure;
}

function column<Row>(type: ColumnType, of: (row: Row) => Cell): Column<Row> {
  return { type, of };
}

function from<Row extends FromSource>(): Columns<Row> {
  return { session: column('text', (row) => row.session), source: column('text', (row) => row.source) };
}

type Of = (exchange: Exchange) => Cell;

function cells(type: ColumnType, of: Record<string, Of>): Columns<ExchangeRow> {
  const entries = Object.entries(of).map(([name, cell]) => [
    name,
    column(type, (row: ExchangeRow) => cell(row.exchange)),
  ]);
  return Object.fromEntries(entries);
}

export const EXCHANGES: Columns<ExchangeRow> = {
  ...from<ExchangeRow>(),
  ...cells('int64', { id: ({ id }) => id }),
  ...cells('timestamp', { started_at: ({ startedAt }) => startedAt * 1000 }),
  ...cells('text', {
    kind: ({ kind }) => kind,
    state: ({ state }) => state,
    method: ({ request }) => request.method,
    scheme: ({ request }) => request.scheme,
    host: ({ request }) => request.host,
    path: ({ request }) => withoutQuery(request.path),
    query: ({ request }) => queryOf(request.path),
    template: ({ request }) => pathTemplate(request.path),
    protocol: ({ client }) => client.protocol,
    media_type: (exchange) => summaryNow(exchange).mediaType || null,
    failure: ({ failure }) => failure?.code ?? null,
  }),
  trace_id: column('text', ({ session, exchange }) =>
    traceIdOf(session, exchange.id, firstHeader(exchange.request.headers, 'traceparent')),
  ),
  ...cells('int32', {
    port: ({ request }) => request.port,
    status: ({ response }) => response?.status ?? null,
    attempts: ({ attempts }) => attempts.length,
    rules: ({ rules }) => rules.length,
  }),
  ...cells('int64', {
    request_bytes: ({ request }) => known(request.body.size),
    response_bytes: ({ response }) => response && known(response.body.size),
    // 0 stands for one that the imported file does not name.
    client_connection: ({ client }) => client.id || null,
    upstream_connection: ({ upstream }) => upstream?.id ?? null,
  }),
  ...cells('double', durationColumns(known)),
};

/** Only with --bodies: they hold what people typed. Headers are lists of [name, value]. */
export const EXCHANGE_CONTENTS: Columns<ExchangeRow> = {
  ...cells('json', {
    request_headers: ({ request }) => JSON.stringify(headerPairs(request.headers)),
    response_headers: ({ response }) => response && JSON.stringify(headerPairs(response.headers)),
  }),
  request_body: column('bytes', (row) => row.requestBody),
  response_body: column('bytes', (row) => row.responseBody),
};

export interface AttemptRow extends FromSource {
  exchange: number;
  ordinal: number;
  attempt: Attempt;
}

export const ATTEMPTS: Columns<AttemptRow> = {
  ...from<AttemptRow>(),
  exchange: column('int64', (row) => row.exchange),
  ordinal: column('int32', (row) => row.ordinal),
  started_after_ms: column('double', ({ attempt }) => attempt.startedAfter),
  duration_ms: column('double', ({ attempt }) => attempt.duration),
  connection: column('int64', ({ attempt }) => attempt.connection?.id ?? null),
  reused: column('boolean', ({ attempt }) => attempt.connection?.reused ?? null),
  failure: column('text', ({ attempt }) => attempt.failure?.code ?? null),
  retry_reason: column('text', ({ attempt }) => attempt.retryReason),
};

export interface ConnectionRow extends FromSource {
  side: string;
  connection: ConnectionInfo;
}

export const CONNECTIONS: Columns<ConnectionRow> = {
  ...from<ConnectionRow>(),
  id: column('int64', ({ connection }) => connection.id),
  side: column('text', (row) => row.side),
  protocol: column('text', ({ connection }) => connection.protocol),
  local_address: column('text', ({ connection }) => connection.localAddress),
  remote_address: column('text', ({ connection }) => connection.remoteAddress),
  via: column('text', ({ connection }) => connection.via),
  tls_version: column('text', ({ connection }) => connection.tls?.version ?? null),
  tls_cipher: column('text', ({ connection }) => connection.tls?.cipher ?? null),
  alpn: column('text', ({ connection }) => connection.tls?.alpn ?? null),
  server_name: column('text', ({ connection }) => connection.tls?.serverName ?? null),
  resumed: column('boolean', ({ connection }) => connection.tls?.resumed ?? null),
  ended_at: column('timestamp', ({ connection }) => (connection.end ? connection.end.at * 1000 : null)),
  ended_by: column('text', ({ connection }) => connection.end?.by ?? null),
  ended_why: column('text', ({ connection }) => connection.end?.why ?? null),
  goaway_code: column('int64', ({ connection }) => connection.end?.code ?? null),
  window_blocked_ms: column('double', ({ connection }) => connection.end?.windowBlocked ?? null),
};

export interface FindingRow extends FromSource {
  finding: Finding;
}

export const FINDINGS: Columns<FindingRow> = {
  ...from<FindingRow>(),
  rule: column('text', ({ finding }) => finding.rule),
  severity: column('text', ({ finding }) => finding.severity),
  confidence: column('text', ({ finding }) => finding.confidence),
  title: column('text', ({ finding }) => finding.title),
  subject: column('text', ({ finding }) => finding.where),
  cost_ms: column('double', ({ finding }) => finding.costMs),
  bytes: column('int64', ({ finding }) => finding.bytes),
  requests: column('int64', ({ finding }) => finding.requests),
  exchanges: column('json', ({ finding }) => JSON.stringify(finding.exchanges)),
};
