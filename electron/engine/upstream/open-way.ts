import type { Socket } from 'node:net';
import { failure } from '../errors.ts';
import { ConnectionError } from './connection-failure.ts';
import { type OpenSocket, openSocket } from './open-socket.ts';
import { addressOf, type Origin } from './origin.ts';
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
}

/** Bytes written to `socket` reach the origin, or, with `talk`, a proxy that wants plain requests in absolute form. */
export interface Way extends OpenSocket {
  /** By `performance.now()`: the proxy's part of it comes after. */
  tcpEndedAt: number;
  talk: ProxyTalk | null;
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
 * Opens the bytes' way to the origin: TCP, through the upstream proxy where there is one. Rejects with a ConnectionError.
 */
export async function openWay(origin: Origin, context: WayContext, early: EarlySocket | null): Promise<Way> {
  const { proxy } = origin;
  const open = (): Promise<OpenSocket> => openSocket(origin, context);
  const tcp = await (early ?? open());
  const tcpEndedAt = performance.now();
  if (!proxy) return { ...tcp, tcpEndedAt, talk: null };
  const reached = await toProxy(proxy, context, tcp);
  if (!speaksHttp(proxy)) {
    await openSocksTunnel(reached.socket, proxy, origin, context.connectTime);
    return { ...reached, tcpEndedAt, talk: null };
  }
  if (origin.scheme === 'http') return { ...reached, tcpEndedAt, talk: await enter(reached.socket, proxy) };
  const reopen = async (): Promise<Socket> => (await toProxy(proxy, context, await open())).socket;
  const socket = await openProxyTunnel(reached.socket, proxy, origin, { reopen, timeLimit: context.connectTime });
  return { ...reached, socket, tcpEndedAt, talk: null };
}

/** A plain request names its origin and needs no tunnel; only its turn, where the login is not proven yet. */
async function enter(socket: Socket, proxy: UpstreamProxy): Promise<ProxyTalk> {
  const talk = proxy.door.talk();
  try {
    await talk.prepare();
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.once('close', () => talk.close());
  return talk;
}
