import type { Socket } from 'node:net';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { EngineContext } from '../engine-context.ts';
import { describe, failure, systemCode } from '../errors.ts';
import { ExchangeClock } from '../exchange/exchange-clock.ts';
import { routeOf } from '../exchange/exchange-log.ts';
import { splice } from '../exchange/splice.ts';
import { resetConnection } from '../tls/reset-below.ts';
import { ConnectionError } from '../upstream/connection-failure.ts';
import type { Way } from '../upstream/open-way.ts';
import type { Origin } from '../upstream/origin.ts';
import type { Opening } from '../upstream/upstream-stream.ts';
import { type TunnelRequest, tunnelLog } from './tunnel-record.ts';

function openingOf(way: Way, from: number): Opening {
  const endedAt = performance.now();
  const startedAt = Math.max(from, way.tcpEndedAt - way.tcp - Math.max(way.dns, 0));
  return { startedAt, endedAt, dns: way.dns, connect: way.tcp + (endedAt - way.tcpEndedAt), ssl: -1, failed: [] };
}

/** Passes a tunnel's bytes on as they are, and records how many. */
export async function passThrough(
  context: EngineContext,
  client: { socket: Socket; ahead: Buffer; info: ConnectionInfo },
  origin: Origin,
  request: TunnelRequest,
  opening: Promise<Way>,
): Promise<void> {
  const log = tunnelLog(context, { ...client.info, protocol: 'tunnel' }, request);
  log.exchange.route = routeOf(origin);
  log.changed();
  const clock = new ExchangeClock(request.at);
  let way: Way;
  try {
    way = await opening;
  } catch (error) {
    const about =
      error instanceof ConnectionError ? error.failure : failure('engine.internal', { detail: describe(error) });
    if (error instanceof ConnectionError && log.exchange.route) log.exchange.route.answer = error.answer;
    log.end('failed', about);
    if (about.cause === 'ECONNRESET') resetConnection(client.socket);
    else client.socket.destroy();
    return;
  }
  const { socket } = way;
  const { exchange } = log;
  exchange.upstream = {
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
  clock.opening = openingOf(way, request.at);
  clock.sendAt = performance.now();
  clock.sentAt = clock.sendAt;
  clock.write(exchange.timings);
  log.changed();
  const ending = {
    listedAt: -1,
    stop: (): void => {
      client.socket.destroy();
      socket.destroy();
    },
  };
  context.live.add(ending);
  splice(
    client,
    { socket, ahead: Buffer.alloc(0) },
    {
      // Counted, not kept: they are not ours to read.
      bytes: (from, chunk) => {
        const message = from === 'client' ? exchange.request : exchange.response;
        if (message) message.body.size += chunk.length;
        if (from === 'upstream' && clock.firstByteAt < 0) {
          clock.firstByteAt = performance.now();
          clock.firstOutAt = clock.firstByteAt;
        }
        return true;
      },
      closed: (error) => {
        context.live.remove(ending);
        for (const message of [exchange.request, exchange.response]) if (message) message.body.complete = true;
        clock.endAt = performance.now();
        clock.write(exchange.timings);
        const reset = systemCode(error) === 'ECONNRESET';
        log.end(
          'complete',
          reset ? failure('upstream.reset', { address: exchange.request.authority }, 'ECONNRESET') : null,
        );
      },
    },
  );
}
