import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { EngineContext, TriedWay } from '../engine-context.ts';
import { plainOrigin } from '../exchange/request-origin.ts';
import type { ClientConnection } from '../http/client-stream.ts';
import type { Route } from '../route/route.ts';
import type { EarlySocket } from '../upstream/connect/open-way.ts';
import { type Origin, placeOf } from '../upstream/origin.ts';
import type { UpstreamConnection } from '../upstream/upstream-stream.ts';

/** Closes a connection that was opened early and is not needed. */
export function discard(opening: Promise<{ socket: { destroy(): unknown } }> | null): void {
  opening?.then(
    ({ socket }) => socket.destroy(),
    () => {},
  );
}

/**
 * Calls `tell` when the upstream end of `opening` speaks or ends, or cannot be reached. Returns a function that stops
 * listening.
 */
export function whenUpstreamStirs(opening: Promise<{ socket: Duplex }>, tell: () => void): () => void {
  let over = false;
  let stopListening = (): void => {};
  opening.then(({ socket }) => {
    if (over) return;
    // It may have ended already: a socket without a reader emits 'end' anyway.
    if (socket.destroyed || socket.readableEnded) {
      tell();
      return;
    }
    socket.once('readable', tell).once('end', tell).once('close', tell);
    stopListening = () => socket.off('readable', tell).off('end', tell).off('close', tell);
  }, tell);
  return () => {
    over = true;
    stopListening();
  };
}

/** The TCP connection of a route without a proxy. With a proxy, closes the connection and returns null. */
export function socketOfWay(way: Promise<TriedWay>, origin: Origin): EarlySocket | null {
  if (origin.proxy || origin.otherProxies.length > 0) {
    discard(way);
    return null;
  }
  const early = way.then(({ socket, dns, tcp, late }) => {
    if (socket instanceof Socket) return { socket, dns, tcp, late };
    throw new Error('a route without a proxy is a TCP connection');
  });
  early.catch(() => {});
  return early;
}

function isSamePlace(one: Origin, other: Origin): boolean {
  const [here, there] = [placeOf(one), placeOf(other)];
  return one.proxy === other.proxy && here.host === there.host && here.port === there.port;
}

/** Whether the connection is still open, as far as we know: origins close idle connections. */
async function stillOpen(early: EarlySocket): Promise<boolean> {
  const { socket } = await early;
  return !socket.destroyed && !socket.readableEnded;
}

/**
 * Turns the TCP connection opened at CONNECT time into an upstream connection for a tunnel that carries HTTP without
 * TLS; the first request uses it. Null if it can't be used: it failed or ended (the exchange then opens one itself and
 * reports the error), or plain requests take a different route than TLS.
 */
export async function handOver(
  context: EngineContext,
  client: { socket: Socket; connection: ClientConnection },
  tunnel: { from: Origin; early: EarlySocket; spoken: 'http1' | 'http2' },
): Promise<UpstreamConnection | null> {
  const { from, early, spoken } = tunnel;
  const { socket } = client;
  try {
    const route: Route = await context.routes.find({ scheme: 'http', host: from.host, port: from.port });
    const origin = plainOrigin(context, client.connection, { host: from.host, port: from.port, spoken }, route);
    const useful =
      isSamePlace(origin, from) && !(spoken === 'http2' && context.pool.hasSpare(origin)) && (await stillOpen(early));
    if (!useful || socket.destroyed) {
      discard(early);
      return null;
    }
    const acquiring = {
      get cancelled() {
        return socket.destroyed;
      },
    };
    const connection = await context.pool.open(origin, acquiring, early);
    context.pool.free(connection);
    return connection;
  } catch {
    // The exchange meets and records the same failure.
    discard(early);
    return null;
  }
}
