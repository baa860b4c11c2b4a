import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type FailureCode, failure } from '../../../failures/errors.ts';
import { socketAddress } from '../../listen/socket-address.ts';
import { addressOf, needsTunnel, type Origin, placeOf } from '../origin.ts';
import type { ConnectionAuth } from '../proxy/connection-auth.ts';
import { enterProxy } from '../proxy/enter-proxy.ts';
import { type LineOptions, type ProxyLine, SocketLine } from '../proxy/proxy-line.ts';
import { type ProxySession, SessionLine } from '../proxy/proxy-session.ts';
import type { ProxySessions } from '../proxy/proxy-sessions.ts';
import { openProxyTls } from '../proxy/proxy-tls.ts';
import { openProxyTunnel } from '../proxy/proxy-tunnel.ts';
import { openSocksTunnel } from '../proxy/socks-tunnel.ts';
import { speaksHttp, type UpstreamProxy } from '../proxy/upstream-proxy.ts';
import type { UpstreamTrust } from '../trust/server-trust.ts';
import { ConnectionError } from './connection-error.ts';
import { barred, checkProxyTarget } from './may-reach.ts';
import { type OpenSocket, openSocket, type SocketOptions } from './open-socket.ts';
import type { ReachedAddresses } from './reached-addresses.ts';

/** A TCP connection that is open or being opened, started before the client's hello was read. */
export type EarlySocket = Promise<OpenSocket>;

/** What the engine provides for opening the route to an origin. */
export interface WayContext extends SocketOptions {
  /** Verifies the certificate of a proxy. */
  readonly proxyTrust: UpstreamTrust;
  readonly downProxies: DownProxies;
  readonly proxySessions: ProxySessions;
  readonly reached: ReachedAddresses;
  /** Whether HTTPS proxies are offered HTTP/2. */
  readonly http2: boolean;
}

/** How long an unreachable proxy is tried last if there is another route; milliseconds. */
const DOWN_TIME = 5 * 60_000;

/** Proxies that were unreachable recently. */
export class DownProxies {
  readonly #until = new Map<string, number>();

  add(proxy: UpstreamProxy): void {
    this.#until.set(proxy.label, performance.now() + DOWN_TIME);
  }

  /** The routes, with those through unreachable proxies last. */
  order(ways: readonly (UpstreamProxy | null)[]): (UpstreamProxy | null)[] {
    const isDown = (way: UpstreamProxy | null): boolean =>
      way !== null && (this.#until.get(way.label) ?? 0) > performance.now();
    return [...ways.filter((way) => !isDown(way)), ...ways.filter(isDown)];
  }

  clear(): void {
    this.#until.clear();
  }
}

/**
 * A route to an origin. Bytes written to `socket` reach the origin, or, if `auth` is set, a proxy that expects plain
 * requests in absolute form.
 */
export interface Way extends Omit<OpenSocket, 'socket'> {
  /** TCP, TLS to a proxy, or a stream of an HTTP/2 session with one. */
  socket: Duplex;
  /** The endpoints of the underlying TCP connection. */
  localAddress: string | null;
  remoteAddress: string | null;
  /** When TCP was open, by `performance.now()`; the proxy's part follows. */
  tcpEndedAt: number;
  auth: ConnectionAuth | null;
  /** The proxy in use. It differs from the first choice if that could not be reached. */
  proxy: UpstreamProxy | null;
}

function addressesOf(socket: Socket): Pick<Way, 'localAddress' | 'remoteAddress'> {
  return {
    localAddress: socketAddress(socket.localAddress, socket.localPort),
    remoteAddress: socketAddress(socket.remoteAddress, socket.remotePort),
  };
}

/** Plain requests to a proxy use HTTP/1.1, and NTLM authenticates a connection: both rule out HTTP/2. */
function alpnFor(proxy: UpstreamProxy, origin: Origin, { http2 }: WayContext): string[] {
  return http2 && needsTunnel(origin) && proxy.authenticator.scheme !== 'ntlm' ? ['h2', 'http/1.1'] : ['http/1.1'];
}

/** Connects to the proxy itself: checks that it is not Roundtrip, and opens TLS if its scheme requires it. */
async function toProxy(
  proxy: UpstreamProxy,
  origin: Origin,
  context: WayContext,
  socket: Socket,
): Promise<Socket | TLSSocket> {
  if (context.isOurs(socket.remoteAddress ?? proxy.host, socket.remotePort ?? proxy.port)) {
    socket.destroy();
    throw new ConnectionError(failure('proxy.loop', { address: addressOf(proxy) }), false);
  }
  if (proxy.scheme !== 'https') return socket;
  const options = { alpn: alpnFor(proxy, origin, context), timeLimit: context.connectTime };
  return await openProxyTls(socket, proxy, context.proxyTrust, options);
}

/**
 * Opens the route to the origin: TCP, through the upstream proxy if there is one, or through the next if the first
 * cannot be reached. Rejects with a ConnectionError. `early`: a TCP connection to the first hop.
 */
export async function openWay(origin: Origin, context: WayContext, early: EarlySocket | null): Promise<Way> {
  if (origin.otherProxies.length === 0) return openBy(origin, context, early);
  const ways = context.downProxies.order([origin.proxy, ...origin.otherProxies]);
  if (ways[0] !== origin.proxy) {
    drop(early);
  }
  for (const [index, proxy] of ways.entries()) {
    try {
      const began = index === 0 && proxy === origin.proxy ? early : null;
      return await openBy({ ...origin, proxy }, context, began);
    } catch (error) {
      if (index === ways.length - 1 || !proxy || !isUnreachable(error)) throw error;
      context.downProxies.add(proxy);
    }
  }
  throw new Error('no route was chosen');
}

const UNREACHABLE: ReadonlySet<string> = new Set([
  'proxy.host-not-found',
  'proxy.refused',
  'proxy.connect-failed',
  'proxy.timeout',
  'proxy.empty-answer',
] satisfies FailureCode[]);

function isUnreachable(error: unknown): boolean {
  return error instanceof ConnectionError && UNREACHABLE.has(error.failure.code);
}

function drop(early: EarlySocket | null): void {
  early?.then(
    ({ socket }) => socket.destroy(),
    () => {},
  );
}

/** Whether a session with the proxy is open, and a tunnel to this origin needs no new connection. */
export function hasSession(origin: Origin, context: WayContext): boolean {
  const { proxy } = origin;
  return needsTunnel(origin) && proxy?.scheme === 'https' && context.proxySessions.find(proxy) !== null;
}

/** Checks whether the proxy at the other end of `socket` may be asked for this origin; destroys the socket if not. */
async function mayAsk(origin: Origin, context: WayContext, socket: Socket): Promise<void> {
  try {
    await checkProxyTarget(origin, socket.remoteAddress, context);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function openBy(origin: Origin, context: WayContext, early: EarlySocket | null): Promise<Way> {
  const { proxy } = origin;
  const session = proxy && hasSession(origin, context) ? context.proxySessions.find(proxy) : null;
  if (proxy && session) {
    try {
      const way = await openOnSession(session, proxy, origin, context);
      drop(early);
      return way;
    } catch (error) {
      // The session may have ended a moment ago: retry over a new connection.
      if (!(error instanceof ConnectionError) || !error.retry) {
        drop(early);
        throw error;
      }
    }
  }
  const { socket, dns, tcp, late } = await (early ?? openSocket(origin, context));
  const tcpEndedAt = performance.now();
  context.reached.add(addressOf(proxy ?? placeOf(origin)));
  const opened = { dns, tcp, late, tcpEndedAt, auth: null, proxy, ...addressesOf(socket) };
  if (!proxy) return { ...opened, socket };
  await mayAsk(origin, context, socket);
  const reached = await toProxy(proxy, origin, context, socket);
  if (!speaksHttp(proxy)) {
    await openSocksTunnel(reached, proxy, placeOf(origin), {
      timeLimit: context.connectTime,
      barred: (address) => barred(origin, address, context),
    });
    return { ...opened, socket: reached };
  }
  if (!needsTunnel(origin)) {
    const reopen = async (): Promise<Socket> =>
      await toProxy(proxy, origin, context, (await openSocket(origin, context)).socket);
    return { ...opened, ...(await enterProxy(reached, { proxy, timeLimit: context.connectTime }, origin, reopen)) };
  }
  const line = lineOver(reached, proxy, origin, context);
  return { ...opened, socket: await openProxyTunnel(line, proxy, placeOf(origin)) };
}

/** The line over which to ask for a tunnel: the connection itself, or one of its streams if the proxy chose HTTP/2. */
function lineOver(socket: Socket | TLSSocket, proxy: UpstreamProxy, origin: Origin, context: WayContext): ProxyLine {
  const options: LineOptions = { proxy, timeLimit: context.connectTime };
  const reopen = reopening(proxy, origin, context);
  if (!('alpnProtocol' in socket) || socket.alpnProtocol !== 'h2') return new SocketLine(socket, options, reopen);
  return new SessionLine(context.proxySessions.add(socket, proxy), options, reopen);
}

function reopening(proxy: UpstreamProxy, origin: Origin, context: WayContext): () => Promise<ProxyLine> {
  return async () => {
    const { socket } = await openSocket(origin, context);
    return lineOver(await toProxy(proxy, origin, context, socket), proxy, origin, context);
  };
}

async function openOnSession(
  session: ProxySession,
  proxy: UpstreamProxy,
  origin: Origin,
  context: WayContext,
): Promise<Way> {
  await checkProxyTarget(origin, session.socket.remoteAddress, context);
  const tcpEndedAt = performance.now();
  const options: LineOptions = { proxy, timeLimit: context.connectTime };
  const line = new SessionLine(session, options, reopening(proxy, origin, context));
  const socket = await openProxyTunnel(line, proxy, placeOf(origin));
  return { socket, dns: -1, tcp: 0, late: 0, tcpEndedAt, auth: null, proxy, ...addressesOf(session.socket) };
}
