import * as v from 'valibot';
import { type ConnectionInfo, ConnectionInfoSchema } from '../../../shared/model/connection.ts';
import { type Attempt, type Exchange, ExchangeSchema } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { FailureSchema } from '../../../shared/model/failure.ts';
import { overheadTime, type Timings, totalTime } from '../../../shared/model/timings.ts';
import { TlsInfoSchema } from '../../../shared/model/tls-info.ts';

/** A row as SQLite gives it. */
export type Row = Record<string, unknown>;

const DetailSchema = v.object({
  request: ExchangeSchema.entries.request,
  response: ExchangeSchema.entries.response,
  failure: ExchangeSchema.entries.failure,
  // Sessions of an older version have none.
  route: v.optional(ExchangeSchema.entries.route, null),
  clientReused: v.boolean(),
  upstreamReused: v.boolean(),
});

function timingsOf(row: Row): Timings {
  return {
    blocked: Number(row.blocked),
    dns: Number(row.dns),
    connect: Number(row.connect),
    ssl: Number(row.ssl),
    send: Number(row.send),
    wait: Number(row.wait),
    receive: Number(row.receive),
    overheadRequest: Number(row.overhead_request),
    overheadResponse: Number(row.overhead_response),
  };
}

/** A row of the table `exchange`. Unchecked, for it is read by the thousand; what becomes of it is checked at the window. */
export function summaryOf(row: Row): ExchangeSummary {
  const timings = timingsOf(row);
  return {
    id: Number(row.id),
    revision: Number(row.revision),
    kind: row.kind as ExchangeSummary['kind'],
    state: row.state as ExchangeSummary['state'],
    startedAt: Number(row.started_at),
    method: String(row.method),
    scheme: row.scheme as ExchangeSummary['scheme'],
    authority: String(row.authority),
    path: String(row.path),
    status: Number(row.status),
    protocol: row.protocol as ExchangeSummary['protocol'],
    mediaType: String(row.media_type),
    requestSize: Number(row.request_size),
    responseSize: Number(row.response_size),
    timings,
    ttfb: timings.wait,
    total: totalTime(timings),
    overhead: overheadTime(timings),
    clientConnection: Number(row.client_connection),
    upstreamConnection: Number(row.upstream_connection),
    attempts: Number(row.attempts),
    failureCode: textOrNull(row.failure_code),
  };
}

/** A row of the table `connection`; whether it was reused is the exchange's to say. */
export function connectionOf(row: Row, reused: boolean): ConnectionInfo {
  return v.parse(ConnectionInfoSchema, {
    id: row.id,
    protocol: row.protocol,
    localAddress: row.local_address,
    remoteAddress: row.remote_address,
    reused,
    tls: row.tls === null ? null : v.parse(TlsInfoSchema, JSON.parse(String(row.tls))),
    via: row.via,
  });
}

export function attemptOf(row: Row, connection: ConnectionInfo | null): Attempt {
  return {
    startedAfter: Number(row.started_after),
    duration: Number(row.duration),
    connection,
    failure: row.failure === null ? null : v.parse(FailureSchema, JSON.parse(String(row.failure))),
    retryReason: textOrNull(row.retry_reason),
  };
}

/** An exchange from its rows. `connection` finds one by id. Throws where the JSON is not what this version writes. */
export function exchangeOf(
  row: Row,
  detail: string,
  attempts: Attempt[],
  connection: (id: number, reused: boolean) => ConnectionInfo | null,
): Exchange {
  const { clientReused, upstreamReused, ...messages } = v.parse(DetailSchema, JSON.parse(detail));
  const summary = summaryOf(row);
  return {
    ...messages,
    id: summary.id,
    revision: summary.revision,
    kind: summary.kind,
    state: summary.state,
    startedAt: summary.startedAt,
    client: connection(summary.clientConnection, clientReused) ?? unknownConnection(summary, clientReused),
    upstream: connection(summary.upstreamConnection, upstreamReused),
    attempts,
    timings: summary.timings,
  };
}

/** For a file that lost the row, as a write that failed may make it. */
function unknownConnection(summary: ExchangeSummary, reused: boolean): ConnectionInfo {
  const { clientConnection: id, protocol } = summary;
  return { id, protocol, localAddress: null, remoteAddress: null, reused, tls: null, via: null };
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}
