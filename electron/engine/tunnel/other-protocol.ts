import type { TLSSocket } from 'node:tls';
import type { EngineContext, TriedWay } from '../engine-context.ts';
import type { ClientConnection } from '../http/client-stream.ts';
import { sniffTunnel } from '../listen/sniff.ts';
import { H1Upstream } from '../upstream/h1/h1-upstream.ts';
import type { Origin } from '../upstream/origin.ts';
import type { UpstreamConnection } from '../upstream/upstream-stream.ts';
import { passThrough } from './pass-through.ts';
import type { TunnelRequest } from './tunnel-record.ts';

/** A tunnel whose TLS ends here, and what its client sent in it. */
interface Inside {
  secure: TLSSocket;
  connection: ClientConnection;
  ahead: Buffer;
}

/** As `OtherProtocol.isOther`. */
export function isOther(bytes: Buffer): boolean | null {
  const spoken = sniffTunnel(bytes);
  if (spoken === 'more') return null;
  return spoken !== 'http1' && spoken !== 'http2';
}

/** The connection that was opened for this client, if no request has used it. Removes it from the pool. */
function unused({ pool }: EngineContext, origin: Origin, user: ClientConnection): UpstreamConnection | null {
  if (user.sticky === null || user.sticky.opening === null) return null;
  return pool.takeFirst(origin, user.sticky);
}

function wayOver(connection: UpstreamConnection, { proxy }: Origin): TriedWay {
  const { opening, info } = connection;
  if (!opening || !(connection instanceof H1Upstream)) throw new Error('not an unused HTTP/1.1 connection');
  connection.opening = null;
  const { socket, ahead } = connection.upgrade();
  if (ahead.length > 0) socket.unshift(ahead);
  const { dns, late, failed } = opening;
  const { localAddress, remoteAddress } = info;
  const phases = { dns, tcp: opening.connect, late, tcpEndedAt: performance.now() };
  return { socket, ...phases, localAddress, remoteAddress, auth: null, proxy, failed, info: { ...info } };
}

/** Takes this client's connection at once, before another can. */
async function wayOf(context: EngineContext, origin: Origin, { secure, connection }: Inside): Promise<TriedWay> {
  const own = unused(context, origin, connection);
  if (own !== null) return wayOver(own, origin);
  const acquiring = {
    get cancelled() {
      return secure.destroyed;
    },
  };
  return wayOver(await context.pool.open(origin, acquiring, null), origin);
}

/**
 * Joins a tunnel with something other than HTTP inside its TLS to an upstream connection with its own TLS, byte for
 * byte. Many protocols work like this over a proxy: mail, MQTT, Kafka, databases. The engine decrypts them, because it
 * knows only then that they are not HTTP, and records how many bytes passed. Never rejects.
 */
export async function passOtherProtocol(
  context: EngineContext,
  inside: Inside,
  { origin, request }: { origin: Origin; request: TunnelRequest },
): Promise<void> {
  const { secure, connection, ahead } = inside;
  // Bytes show that the client accepted our certificate.
  if (ahead.length > 0) connection.accepted?.();
  const way = wayOf(context, origin, inside);
  context.chosenAlpn.forget(origin);
  await passThrough(context, { socket: secure, ahead, info: connection.info }, { origin, request }, way);
}
