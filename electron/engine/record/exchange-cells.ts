import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Attempt, Exchange } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { Cell } from './writer-protocol.ts';

/** Columns of the table `exchange` in the order of their cells. */
export const EXCHANGE_COLUMNS = [
  ...['id', 'revision', 'kind', 'state', 'started_at', 'method', 'scheme', 'authority', 'path', 'status', 'protocol'],
  ...['media_type', 'request_size', 'response_size', 'blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'],
  ...['overhead_request', 'overhead_response', 'client_connection', 'upstream_connection', 'attempts', 'failure_code'],
] as const;
export const DETAIL_COLUMNS = ['exchange', 'json'] as const;
export const ATTEMPT_COLUMNS = [
  ...['exchange', 'ordinal', 'started_after', 'duration', 'connection', 'reused', 'failure', 'retry_reason'],
] as const;
export const CONNECTION_COLUMNS = ['id', 'side', 'protocol', 'local_address', 'remote_address', 'via', 'tls'] as const;

/** What the table `detail` keeps of an exchange as JSON; the connections themselves are in a table of their own. */
export type ExchangeDetail = Pick<Exchange, 'request' | 'response' | 'failure' | 'route'> & {
  clientReused: boolean;
  upstreamReused: boolean;
};

export function pushExchange(cells: Cell[], row: ExchangeSummary): void {
  const { timings } = row;
  cells.push(row.id, row.revision, row.kind, row.state, row.startedAt, row.method, row.scheme, row.authority, row.path);
  cells.push(row.status, row.protocol, row.mediaType, row.requestSize, row.responseSize);
  cells.push(timings.blocked, timings.dns, timings.connect, timings.ssl, timings.send, timings.wait, timings.receive);
  cells.push(timings.overheadRequest, timings.overheadResponse);
  cells.push(row.clientConnection, row.upstreamConnection, row.attempts, row.failureCode);
}

export function pushDetail(cells: Cell[], exchange: Exchange): void {
  const detail: ExchangeDetail = {
    request: exchange.request,
    response: exchange.response,
    failure: exchange.failure,
    route: exchange.route,
    clientReused: exchange.client.reused,
    upstreamReused: exchange.upstream?.reused ?? false,
  };
  cells.push(exchange.id, JSON.stringify(detail));
}

export function pushAttempt(cells: Cell[], exchange: number, ordinal: number, attempt: Attempt): void {
  const { connection, failure } = attempt;
  cells.push(exchange, ordinal, attempt.startedAfter, attempt.duration);
  cells.push(connection?.id ?? null, connection?.reused ? 1 : 0);
  cells.push(failure === null ? null : JSON.stringify(failure), attempt.retryReason);
}

export function pushConnection(cells: Cell[], side: 'client' | 'upstream', of: ConnectionInfo): void {
  cells.push(of.id, side, of.protocol, of.localAddress, of.remoteAddress, of.via);
  cells.push(of.tls === null ? null : JSON.stringify(of.tls));
}
