import type { Socket } from 'node:net';
import { type FailureCode, failure } from '../errors.ts';
import { ConnectionError } from './connection-failure.ts';
import { enterProxy } from './enter-proxy.ts';
import { type OpenSocket, openSocket } from './open-socket.ts';
import { addressOf, type Origin, placeOf } from './origin.ts';
import type { ProxyTalk } from './proxy-talk.ts';
import { openProxyTls } from './proxy-tls.ts';
import { openProxyTunnel } from './proxy-tunnel.ts';
import type { UpstreamTrust } from './server-trust.ts';
import { openSocksTunnel } from './socks-tunnel.ts';
import { speaksHttp, type UpstreamProxy } from './upstream-proxy.ts';

/** TCP that is already open or on its way, where the tunnel began it before the client's hello was read. */
export type EarlySocket = Promise<OpenSocket>;

/** What the way to an origin needs of the engine. */
export interface WayContext {
  readonly nagle: boolean;
  readonly connectTime: number;
  /** What a proxy's own certificate is held against. */
  readonly proxyTrust: UpstreamTrust;
  isOurs(host: string, port: number): boolean;
  readonly downProxies: DownProxies;
}

/** A proxy that could not be reached is asked last for this long where there is another way; milliseconds. */
const DOWN_TIME = 5 * 60_000;

/** Proxies that could not be reached lately. */
export class DownProxies {
  readonly #until = new Map<string, number>();

  add(proxy: UpstreamProxy): void {
    this.#until.set(proxy.label, performance.now() + DOWN_TIME);
  }

  /** The ways with those that are down behind the others. */
  order(ways: readonly (UpstreamProxy | null)[]): (UpstreamProxy | null)[] {
    const isDown = (way: UpstreamProxy | null): boolean =>
      way !== null && (this.#until.get(way.label) ?? 0) > performance.now();
    return [...ways.filter((way) => !isDown(way)), ...ways.filter(isDown)];
  }

  clear(): void {
    this.#until.clear();
  }
}

/** Bytes written to `socket` reach the origin, or, with `talk`, a proxy that wants plain requests in absolute form. */
export interface Way extends OpenSocket {
  /** By `performance.now()`: the proxy's part of it comes after. */
  tcpEndedAt: number;
  talk: ProxyTalk | null;
  /** The proxy that it goes through: another than the first that was decided on where that could not be reached. */
  proxy: UpstreamProxy | null;
}

/** The proxy's own door: not ourselves, and TLS where its scheme has it. */
async function toProxy(proxy: UpstreamProxy, context: WayContext, tcp: OpenSocket): Promise<OpenSocket> {
  const { socket } = tcp;
  if (context.isOurs(socket.remoteAddress ?? proxy.host, socket.remotePort ?? proxy.port)) {
    socket.destroy();
    throw new ConnectionError(failure('proxy.loop', { address: addressOf(proxy) }), false);
  }
  if (proxy.scheme !== 'https') return tcp;
  return { ...tcp, socket: await openProxyTls(socket, proxy, context.proxyTrust, context.connectTime) };
}

/**
 * Opens the bytes' way to the origin: TCP, through the upstream proxy where there is one, or the next where the first cannot
 * be reached. Rejects with a ConnectionError. `early`: TCP to the first.
 */
export async function openWay(origin: Origin, context: WayContext, early: EarlySocket | null): Promise<Way> {
  if (origin.otherProxies.length === 0) return openBy(origin, context, early);
  const ways = context.downProxies.order([origin.proxy, ...origin.otherProxies]);
  if (ways[0] !== origin.proxy) {
    early?.then(
      ({ socket }) => socket.destroy(),
      () => {},
    );
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
  throw new Error('no way was decided on');
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

async function openBy(origin: Origin, context: WayContext, early: EarlySocket | null): Promise<Way> {
  const { proxy } = origin;
  const open = (): Promise<OpenSocket> => openSocket(origin, context);
  const tcp = await (early ?? open());
  const tcpEndedAt = performance.now();
  if (!proxy) return { ...tcp, tcpEndedAt, talk: null, proxy };
  const reached = await toProxy(proxy, context, tcp);
  if (!speaksHttp(proxy)) {
    await openSocksTunnel(reached.socket, proxy, placeOf(origin), context.connectTime);
    return { ...reached, tcpEndedAt, talk: null, proxy };
  }
  const reopen = async (): Promise<Socket> => (await toProxy(proxy, context, await open())).socket;
  if (origin.scheme === 'http') {
    const entered = await enterProxy(reached.socket, proxy, origin, { reopen, timeLimit: context.connectTime });
    return { ...reached, ...entered, tcpEndedAt, proxy };
  }
  const socket = await openProxyTunnel(reached.socket, proxy, placeOf(origin), {
    reopen,
    timeLimit: context.connectTime,
  });
  return { ...reached, socket, tcpEndedAt, talk: null, proxy };
}
