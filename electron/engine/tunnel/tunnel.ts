import { isIP, type Socket } from 'node:net';
import type { Failure } from '../../../shared/model/failure.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import { describe, failure } from '../../failures/errors.ts';
import { withoutLogin } from '../../failures/quoted.ts';
import { tokenOfHost } from '../check/check-target.ts';
import { serveCheckTunnel } from '../check/check-tunnel.ts';
import type { EngineContext, TriedWay } from '../engine-context.ts';
import { routeOf } from '../exchange/exchange-log.ts';
import { isOutward } from '../exchange/request-origin.ts';
import type { ClientConnection } from '../http/client-stream.ts';
import { type ConnectHead, parseAuthority } from '../http/h1-request.ts';
import { endAndLinger } from '../http/linger.ts';
import { endWhenSilent } from '../listen/end-when-silent.ts';
import { type FirstBytes, firstBytes } from '../listen/first-bytes.ts';
import type { HttpFaces } from '../listen/http-faces.ts';
import { isConnect, sniffTunnel } from '../listen/sniff.ts';
import type { SocksRequest } from '../listen/socks-request.ts';
import type { Route } from '../route/route.ts';
import type { InterceptDecision } from '../rules/intercept-decision.ts';
import { AcceptingClients, clientKind } from '../tls/accepting-clients.ts';
import { onRejection } from '../tls/on-rejection.ts';
import { refusalAlert } from '../tls/refusal-alert.ts';
import { resetConnection } from '../tls/reset-below.ts';
import { tlsInfoOf } from '../tls/tls-info.ts';
import { ConnectionError } from '../upstream/connect/connection-error.ts';
import type { EarlySocket } from '../upstream/connect/open-way.ts';
import { addressOf, makeOrigin, type Origin } from '../upstream/origin.ts';
import { discard, handOver, socketOfWay, whenUpstreamStirs } from './hand-over.ts';
import { InterceptError, intercept } from './intercept.ts';
import { isOther, passOtherProtocol } from './other-protocol.ts';
import { passThrough } from './pass-through.ts';
import { endFailed, recordFailure, type TunnelRequest, tunnelLog } from './tunnel-record.ts';

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
const REFUSED = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Handshake failures with which a client rejects our certificate. */
const REFUSALS: ReadonlySet<string> = new Set([
  'tls.client-rejected-certificate',
  'tls.client-pins-certificate',
  'tls.client-closed',
]);

const NOTHING = Buffer.alloc(0);

/** What a client is sent before its tunnel begins, or instead. */
type Reply = string | Buffer;

/** A client's socket, and the bytes of the tunnel that were read with its request. */
interface TunnelClient {
  socket: Socket;
  connection: ClientConnection;
  ahead: Buffer;
}

/**
 * Whether a tunnel carries neither TLS nor HTTP requests, judged by its first bytes; null: the client ended its side
 * without sending any. A CONNECT in a tunnel opens another tunnel at another proxy, which is between that proxy and the
 * client.
 */
function isOpaque(first: FirstBytes | null): boolean {
  if (first === null || isConnect(first.bytes)) return true;
  return first.spoken === 'more' || first.spoken === 'unknown' || first.spoken === 'socks';
}

function refusedAt({ programPort, info }: ClientConnection, host: string, { message }: Failure): void {
  programPort?.saw('refused-request', host, info.remoteAddress, message);
}

/** A CONNECT tunnel with its route. */
interface Carried {
  socket: Socket;
  connection: ClientConnection;
  tunnel: TunnelRequest;
  origin: Origin;
  route: Route;
  wait: Parameters<typeof passThrough>[1];
}

/**
 * Waits for the first bytes of either side. A silent client may be waiting for a server that speaks first (SSH, SMTP:
 * not HTTP), or be slow or far away. Returns `more` if the server spoke or ended, or if connecting to it failed.
 */
async function firstToSpeak(socket: Socket, ahead: Buffer, way: Promise<TriedWay>): Promise<FirstBytes | null> {
  let stopListening = (): void => {};
  const stop = (cancel: () => void): void => {
    stopListening = whenUpstreamStirs(way, cancel);
  };
  const first = await firstBytes(socket, ahead, { stop }, sniffTunnel);
  stopListening();
  return first;
}

/** Handles CONNECT and SOCKS: decides what to do with each tunnel and passes it to its handler. */
export class Tunnels {
  readonly #context: EngineContext;
  readonly #faces: HttpFaces;
  readonly #decision: () => InterceptDecision;
  readonly #accepting = new AcceptingClients();

  constructor(context: EngineContext, faces: HttpFaces, decision: () => InterceptDecision) {
    this.#context = context;
    this.#faces = faces;
    this.#decision = decision;
  }

  /** Takes over a client's socket after its CONNECT. Never rejects. */
  async connect(socket: Socket, connection: ClientConnection, head: ConnectHead, ahead: Buffer): Promise<void> {
    await this.#guarded(socket, connection, () => this.#connect(socket, connection, head, ahead));
  }

  /** Takes over a client's socket after its SOCKS request, which is a CONNECT in other words. Never rejects. */
  async socks(socket: Socket, connection: ClientConnection, request: SocksRequest): Promise<void> {
    const { host, port, version, size, granted, refused, ahead } = request;
    const tunnel = { host, port, headers: [], headSize: size, version, at: performance.now() };
    const client = { socket, connection, ahead };
    await this.#guarded(socket, connection, async () => {
      if (!parseAuthority(addressOf({ host, port }), 0)) this.#badAuthority(client, tunnel, addressOf(tunnel), refused);
      else await this.#open(client, tunnel, { granted, refused });
    });
  }

  async #guarded(socket: Socket, connection: ClientConnection, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      recordFailure(this.#context, connection.info, null, failure('engine.internal', { detail: describe(error) }));
      socket.destroy();
    }
  }

  async #connect(socket: Socket, connection: ClientConnection, head: ConnectHead, ahead: Buffer): Promise<void> {
    // CONNECT has no default port (RFC 9110, section 9.3.6); 0 stands for a missing one.
    const target = /:\d+$/.test(head.target) ? parseAuthority(head.target, 0) : null;
    const request = { headers: head.headers, headSize: head.size, version: head.version, at: performance.now() };
    const client = { socket, connection, ahead };
    if (target) await this.#open(client, { ...target, ...request }, { granted: ESTABLISHED, refused: REFUSED });
    else {
      const authority = withoutLogin(head.target).slice(0, 200);
      this.#badAuthority(client, { host: authority, port: 0, ...request }, authority, REFUSED);
    }
  }

  #badAuthority({ socket, connection }: TunnelClient, tunnel: TunnelRequest, authority: string, refused: Reply): void {
    recordFailure(this.#context, connection.info, tunnel, failure('tunnel.bad-authority', { authority }));
    endAndLinger(socket, this.#context.limits.clientSilence, refused);
  }

  async #open(client: TunnelClient, tunnel: TunnelRequest, reply: { granted: Reply; refused: Reply }): Promise<void> {
    const { socket, connection, ahead } = client;
    if (this.#context.isOurs(tunnel.host, tunnel.port)) {
      const about = failure('tunnel.to-itself', { authority: addressOf(tunnel) });
      recordFailure(this.#context, connection.info, tunnel, about);
      endAndLinger(socket, this.#context.limits.clientSilence, reply.refused);
      return;
    }
    socket.write(reply.granted);
    const token = tokenOfHost(tunnel.host);
    if (token !== null) {
      await serveCheckTunnel(this.#context, this.#faces, { token, target: tunnel, socket, connection, ahead });
      return;
    }
    connection.programPort?.saw('request', tunnel.host, connection.info.remoteAddress);
    await this.#carry(socket, connection, tunnel, ahead);
  }

  async #carry(socket: Socket, connection: ClientConnection, tunnel: TunnelRequest, ahead: Buffer): Promise<void> {
    const route = await this.#routeOf(socket, connection, tunnel);
    if (!route) return;
    const { host, port } = tunnel;
    const origin = makeOrigin(
      { scheme: 'https', host, port, serverName: host, alpn: [] },
      route,
      isOutward(this.#context, connection),
    );
    const wait = { socket, ahead, info: connection.info };
    if (!this.#decision().intercepts(tunnel.host)) {
      await passThrough(this.#context, wait, { origin, request: tunnel }, this.#way(socket, origin, null));
      return;
    }
    const isNew = !this.#context.chosenAlpn.hasMet(tunnel);
    const early = isNew ? this.#context.openEarly(origin) : null;
    // Most clients send the CONNECT's host as server name.
    if (isNew) void this.#context.leaves.prepare(tunnel.host);
    early?.catch(() => {});
    socket.once('close', () => {
      if (socket.bytesRead <= tunnel.headSize) discard(early);
    });
    const spoke = endWhenSilent(socket, this.#context, connection.info, tunnel);
    const first = await this.#firstBytes(socket, ahead);
    if (first?.spoken === 'more') {
      const way = this.#way(socket, origin, early);
      const late = await firstToSpeak(socket, first.bytes, way);
      spoke();
      if (!socket.destroyed && isOpaque(late)) {
        await passThrough(this.#context, { ...wait, ahead: late?.bytes ?? NOTHING }, { origin, request: tunnel }, way);
        return;
      }
      await this.#serve(late, socketOfWay(way, origin), { socket, connection, tunnel, origin, route, wait });
      return;
    }
    spoke();
    await this.#serve(first, early, { socket, connection, tunnel, origin, route, wait });
  }

  #way(client: Socket, origin: Origin, early: EarlySocket | null): Promise<TriedWay> {
    const acquiring = {
      get cancelled() {
        return client.destroyed;
      },
    };
    const way = this.#context.openWay(origin, early ?? this.#context.openEarly(origin), acquiring);
    // Callers handle the rejection; this avoids an unhandled one before they await.
    way.catch(() => {});
    return way;
  }

  /** Continues according to the client's first bytes; null if there are none. */
  async #serve(first: FirstBytes | null, early: EarlySocket | null, carried: Carried): Promise<void> {
    const { socket, connection, tunnel, origin, wait } = carried;
    if (socket.destroyed) {
      discard(early);
      return;
    }
    if (first?.spoken === 'tls') {
      await this.#intercept(carried, first.bytes, early);
      return;
    }
    if (!isOpaque(first) && (first?.spoken === 'http1' || first?.spoken === 'http2')) {
      const client = { socket, connection };
      const sticky = early && (await handOver(this.#context, client, { from: origin, early, spoken: first.spoken }));
      const inside = { ...connection, context: { scheme: 'http' as const, target: tunnel }, sticky, closed: false };
      this.#faces.serve(socket, inside, first.spoken, first.bytes);
      return;
    }
    // A client that ended its side without sending a byte may still read the server's data.
    const ahead = first?.bytes ?? NOTHING;
    await passThrough(this.#context, { ...wait, ahead }, { origin, request: tunnel }, this.#way(socket, origin, early));
  }

  /** Waits up to `tunnelSilence` for the client's first bytes; `more` if none or too few arrived. */
  async #firstBytes(socket: Socket, ahead: Buffer): ReturnType<typeof firstBytes> {
    let timer: NodeJS.Timeout | null = null;
    const stop = (cancel: () => void): void => {
      timer = setTimeout(cancel, this.#context.limits.tunnelSilence);
    };
    const first = await firstBytes(socket, ahead, { stop }, sniffTunnel);
    if (timer) clearTimeout(timer);
    return first;
  }

  /** Null if no route could be determined; the failure is recorded and the socket closed. */
  async #routeOf(socket: Socket, connection: ClientConnection, tunnel: TunnelRequest): Promise<Route | null> {
    try {
      return await this.#context.routes.find({ scheme: 'https', host: tunnel.host, port: tunnel.port });
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      recordFailure(this.#context, connection.info, tunnel, error.failure);
      socket.destroy();
      return null;
    }
  }

  async #intercept(carried: Carried, ahead: Buffer, early: EarlySocket | null): Promise<void> {
    const { socket, connection, tunnel, origin, route, wait } = carried;
    const client = clientKind(firstHeader(tunnel.headers, 'user-agent'), connection.info.remoteAddress);
    try {
      // A client that resolves names itself asks for an address: only its TLS says which host it means.
      const passes = (name: string) => isIP(tunnel.host) !== 0 && !this.#decision().intercepts(name);
      const intercepted = await intercept(this.#context, { socket, ahead }, tunnel, { origin, route, early, passes });
      if (intercepted === null) {
        const way = this.#way(socket, origin, early);
        await passThrough(this.#context, { ...wait, ahead: NOTHING }, { origin, request: tunnel }, way);
        return;
      }
      const { secure, hello, offered, origin: inner, upstream } = intercepted;
      onRejection(secure, tunnel.host, (about) => {
        const explained = this.#accepting.explained(about, client, tunnel.host);
        refusedAt(connection, tunnel.host, explained);
        recordFailure(this.#context, connection.info, tunnel, explained);
      });
      const protocol = secure.alpnProtocol === 'h2' ? 'h2' : 'http/1.1';
      const info = { ...connection.info, protocol, tls: tlsInfoOf(secure, hello.serverName, false) } as const;
      const inside = {
        info: { ...info },
        context: { scheme: 'https' as const, target: { host: tunnel.host, port: tunnel.port } },
        offeredAlpn: offered,
        serverName: hello.serverName,
        sticky: upstream,
        closed: false,
        otherMachine: connection.otherMachine,
        programPort: connection.programPort,
        accepted: () => this.#accepting.accepted(client),
        ...(offered.length === 0 && {
          otherProtocol: {
            isOther,
            carry: (ahead: Buffer) => {
              const on = { secure, connection: inside, ahead };
              void passOtherProtocol(this.#context, on, { origin: inner, request: tunnel });
            },
          },
        }),
      };
      this.#faces.serve(secure, inside, protocol === 'h2' ? 'http2' : 'http1', Buffer.alloc(0));
      // The TLS layer knows how the connection ended; the socket below only sees that we closed it.
      secure.once('close', () => {
        connection.info.end = inside.info.end;
      });
    } catch (error) {
      if (!(error instanceof InterceptError)) throw error;
      const route = { ...routeOf(origin), answer: error.response };
      const about = this.#accepting.explained(error.failure, client, tunnel.host);
      const closed = about.code === 'tls.client-closed' && about.cause === null;
      // Browsers drop preconnections that they don't need: not a refusal from a client that accepts our certificates.
      const state = closed && (error.unseen || this.#accepting.has(client)) ? 'aborted' : 'failed';
      if (state === 'failed' && REFUSALS.has(about.code)) refusedAt(connection, tunnel.host, about);
      const log = tunnelLog(this.#context, connection.info, tunnel);
      endFailed(log, tunnel, about, { tries: error.tries, route, state });
      this.#refuse(socket, error.failure);
    }
  }

  /** Ends the client's handshake the way upstream's ended: with its alert, a reset or a plain close. */
  #refuse(socket: Socket, about: Failure): void {
    const alert = refusalAlert(about);
    if (alert !== null && !socket.destroyed) endAndLinger(socket, this.#context.limits.clientSilence, alert);
    else if (about.cause === 'ECONNRESET') resetConnection(socket);
    else socket.destroy();
  }
}
