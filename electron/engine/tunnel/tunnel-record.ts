import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { ExchangeKind } from '../../../shared/model/exchange.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { UpstreamRoute } from '../../../shared/model/proxy/upstream-route.ts';
import type { EngineContext } from '../engine-context.ts';
import { Attempts } from '../exchange/attempts.ts';
import { ExchangeClock } from '../exchange/exchange-clock.ts';
import { connectionNow, ExchangeLog } from '../exchange/exchange-log.ts';
import type { FailedOpening } from '../upstream/connect/failed-opening.ts';
import { addressOf } from '../upstream/origin.ts';

export interface TunnelRequest {
  host: string;
  port: number;
  headers: RawHeaders;
  headSize: number;
  version: string;
  /** `performance.now()` when the head arrived. */
  at: number;
}

const NO_TARGET: TunnelRequest = { host: '', port: 0, headers: [], headSize: 0, version: 'HTTP/1.1', at: 0 };

/** Creates the record of a tunnel or, without a target, of a client connection that carried no request. */
export function tunnelLog(context: EngineContext, client: ConnectionInfo, request: TunnelRequest | null): ExchangeLog {
  const kind: ExchangeKind = request ? 'tunnel' : 'connection';
  const { host, port, headers, headSize, version, at } = request ?? { ...NO_TARGET, at: performance.now() };
  const authority = request ? addressOf({ host, port }) : '';
  return new ExchangeLog(context.observer, kind, {
    startedAt: at,
    client: connectionNow(client),
    request: {
      method: request ? 'CONNECT' : '',
      scheme: request ? 'https' : 'http',
      authority,
      host,
      port,
      path: authority,
      httpVersion: version,
      headers,
      trailers: [],
      headSize,
      body: { size: 0, stored: 0, complete: request === null },
    },
  });
}

interface FailedTunnel {
  tries: readonly FailedOpening[];
  route: UpstreamRoute | null;
  state: 'failed' | 'aborted';
}

const WITHOUT_TRIES: FailedTunnel = { tries: [], route: null, state: 'failed' };

/** Records a tunnel or connection that failed before any exchange. */
export function recordFailure(
  context: EngineContext,
  client: ConnectionInfo,
  request: TunnelRequest | null,
  about: Failure,
): void {
  endFailed(tunnelLog(context, client, request), request, about, WITHOUT_TRIES);
}

/** Ends the record of a tunnel, or of a connection without one, that failed after the attempts in `failed`. */
export function endFailed(
  log: ExchangeLog,
  request: TunnelRequest | null,
  about: Failure,
  { tries, route, state }: FailedTunnel,
): void {
  const headAt = request?.at ?? performance.now();
  const attempts = new Attempts(log.exchange, headAt);
  attempts.connectingFailed(tries);
  log.exchange.route = route;
  const last = log.exchange.attempts.at(-1);
  if (last) last.retryReason = null;
  const clock = new ExchangeClock(headAt);
  const [first, final] = [tries[0], tries.at(-1)];
  if (first && final) clock.failed(first.startedAt, final.endedAt);
  clock.endAt = performance.now();
  clock.write(log.exchange.timings);
  log.end(state, about);
}
