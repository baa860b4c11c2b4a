import type { Socket } from 'node:net';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import { describe, failure, systemCode } from '../../failures/errors.ts';
import type { EngineContext, TriedWay } from '../engine-context.ts';
import { Attempts } from '../exchange/attempts.ts';
import { ExchangeClock } from '../exchange/exchange-clock.ts';
import { type ExchangeLog, routeOf } from '../exchange/exchange-log.ts';
import { waitsOf } from '../exchange/pace/tunnel-pace.ts';
import { type SpliceError, splice } from '../exchange/splice.ts';
import { Lane } from '../rules/throttle/lane.ts';
import { resetConnection } from '../tls/reset-below.ts';
import { ConnectionError } from '../upstream/connect/connection-error.ts';
import type { Origin } from '../upstream/origin.ts';
import type { Opening } from '../upstream/upstream-stream.ts';
import { type TunnelRequest, tunnelLog } from './tunnel-record.ts';

interface Client {
  socket: Socket;
  ahead: Buffer;
  info: ConnectionInfo;
}

/** A tunnel's record and its measurements. */
interface Recorded {
  log: ExchangeLog;
  clock: ExchangeClock;
  attempts: Attempts;
}

function openingOf(way: TriedWay, from: number): Opening {
  const endedAt = performance.now();
  const startedAt = Math.max(from, way.tcpEndedAt - way.tcp - Math.max(way.dns, 0));
  const { dns, late, failed } = way;
  return { startedAt, endedAt, dns, connect: way.tcp + (endedAt - way.tcpEndedAt), ssl: -1, late, failed };
}

/** Forwards a tunnel's bytes unchanged and records their number. */
export async function passThrough(
  context: EngineContext,
  client: Client,
  { origin, request }: { origin: Origin; request: TunnelRequest },
  opening: Promise<TriedWay>,
): Promise<void> {
  const log = tunnelLog(context, { ...client.info, protocol: 'tunnel' }, request);
  log.exchange.route = routeOf(origin);
  log.changed();
  const clock = new ExchangeClock(request.at);
  const recorded = { log, clock, attempts: new Attempts(log.exchange, request.at) };
  let way: TriedWay;
  try {
    way = await opening;
  } catch (error) {
    recordUnopened(recorded, error, request.at);
    if (log.exchange.failure?.cause === 'ECONNRESET') resetConnection(client.socket);
    else client.socket.destroy();
    return;
  }
  recordOpened(context, recorded, way, request.at);
  join(context, client, way, recorded);
}

function recordUnopened({ log, clock, attempts }: Recorded, error: unknown, from: number): void {
  clock.endAt = performance.now();
  if (error instanceof ConnectionError) {
    if (log.exchange.route) log.exchange.route.answer = error.response;
    clock.unopened(error, from);
    attempts.unopened(error, from);
  }
  clock.write(log.exchange.timings);
  log.end(
    'failed',
    error instanceof ConnectionError ? error.failure : failure('engine.internal', { detail: describe(error) }),
  );
}

function recordOpened(context: EngineContext, { log, clock, attempts }: Recorded, way: TriedWay, from: number): void {
  const { exchange } = log;
  exchange.upstream = way.info ?? {
    id: context.observer.nextConnectionId(),
    protocol: 'tunnel',
    localAddress: way.localAddress,
    remoteAddress: way.remoteAddress,
    reused: false,
    tls: null,
    via: way.proxy?.label ?? null,
  };
  exchange.response = {
    status: 200,
    statusText: 'Connection established',
    httpVersion: 'HTTP/1.1',
    headers: [],
    trailers: [],
    headSize: 0,
    body: { size: 0, stored: 0, complete: false },
    informational: [],
  };
  const opening = openingOf(way, from);
  clock.lent(opening);
  attempts.connectingFailed(way.failed);
  attempts.begin(opening.startedAt, exchange.upstream);
  clock.sendAt = performance.now();
  clock.sentAt = clock.sendAt;
  log.reached(clock);
}

function join(context: EngineContext, client: Client, { socket }: TriedWay, recorded: Recorded): void {
  const { log, clock } = recorded;
  const { exchange } = log;
  const ending = {
    listedAt: -1,
    stop: (): void => {
      client.socket.destroy();
      socket.destroy();
    },
  };
  context.live.add(ending);
  splice(client, { socket, ahead: Buffer.alloc(0) }, context.limits.clientSilence, {
    // Counts the bytes without storing them: the tunnel is not intercepted.
    bytes: (from, chunk) => {
      const message = from === 'client' ? exchange.request : exchange.response;
      if (message) message.body.size += chunk.length;
      if (from === 'upstream' && clock.firstByteAt < 0) {
        clock.firstByteAt = performance.now();
        clock.firstOutAt = clock.firstByteAt;
        log.reached(clock);
      }
      return true;
    },
    ...(context.link && { waits: waitsOf(new Lane(context.link, client.socket)) }),
    closed: (spliceError) => {
      context.live.remove(ending);
      recordEnd(recorded, spliceError);
    },
  });
}

/**
 * The client may end its tunnel in any way, including a reset, without it being a failure: we don't know its protocol.
 */
function recordEnd({ log, clock, attempts }: Recorded, spliceError: SpliceError | null): void {
  const { exchange } = log;
  for (const message of [exchange.request, exchange.response]) if (message) message.body.complete = true;
  clock.endAt = performance.now();
  clock.write(exchange.timings);
  const reset = spliceError?.by === 'upstream' && systemCode(spliceError.error) === 'ECONNRESET';
  const about = reset ? failure('upstream.reset', { address: exchange.request.authority }, 'ECONNRESET') : null;
  attempts.end(about, null);
  log.end('complete', about);
}
