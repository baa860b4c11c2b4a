import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ConnectionInfo, Protocol } from '../../../shared/model/connection.ts';
import type { Limits } from '../../../shared/model/limits.ts';
import { socketAddress } from '../listen/socket-address.ts';
import { tlsInfoOf } from '../tls/tls-info.ts';
import { H1Upstream } from './h1-upstream.ts';
import { H2Upstream } from './h2-upstream.ts';
import { openTls, type TlsSessions } from './open-tls.ts';
import { type EarlySocket, openWay, type WayContext } from './open-way.ts';
import type { Origin } from './origin.ts';
import type { UpstreamTrust } from './server-trust.ts';
import { forgetPeer } from './server-trust-failure.ts';
import type { ConnectionOwner, Opening, UpstreamConnection } from './upstream-stream.ts';

/** What opening a connection needs of the engine. */
export interface OpeningContext extends WayContext {
  readonly limits: Limits;
  trustOf(origin: Origin): UpstreamTrust;
  readonly sessions: TlsSessions;
  nextConnectionId(): number;
}

function describeConnection(
  id: number,
  origin: Origin,
  socket: Socket,
  protocol: Protocol,
  tls: TLSSocket | null,
): ConnectionInfo {
  return {
    id,
    protocol,
    localAddress: socketAddress(socket.localAddress, socket.localPort),
    remoteAddress: socketAddress(socket.remoteAddress, socket.remotePort),
    reused: false,
    tls: tls && tlsInfoOf(tls, origin.serverName, true),
    via: origin.proxy?.label ?? null,
  };
}

/**
 * Opens a connection to the origin: TCP, the upstream proxy's CONNECT, TLS, and h1 or h2 as ALPN has it.
 * Rejects with a ConnectionError. Through a proxy a plain `http` origin needs no tunnel: its requests name it.
 */
export async function openConnection(
  origin: Origin,
  context: OpeningContext,
  owner: ConnectionOwner,
  early: EarlySocket | null,
): Promise<UpstreamConnection> {
  const { limits } = context;
  const startedAt = performance.now();
  const { socket, dns, tcp, tcpEndedAt: opened, talk, proxy } = await openWay(origin, context, early);
  let secure: TLSSocket | null = null;
  let ssl = -1;
  if (origin.scheme === 'https') {
    const from = performance.now();
    secure = await openTls(socket, origin, context.trustOf(origin), context.sessions, limits.connectTime);
    ssl = performance.now() - from;
  }
  const endedAt = performance.now();
  const opening: Opening = {
    // What began early had its dns and tcp before this call.
    startedAt: early ? Math.min(startedAt, opened - tcp - Math.max(dns, 0)) : startedAt,
    endedAt,
    dns,
    connect: tcp + (endedAt - opened),
    ssl,
    failed: [],
  };
  const isHttp2 = secure?.alpnProtocol === 'h2';
  const by = proxy === origin.proxy ? origin : { ...origin, proxy };
  const info = describeConnection(context.nextConnectionId(), by, socket, isHttp2 ? 'h2' : 'http/1.1', secure);
  if (secure) forgetPeer(secure);
  if (isHttp2) return new H2Upstream(secure ?? socket, by, info, opening, owner, limits);
  return new H1Upstream(secure ?? socket, by, info, opening, owner, limits, talk);
}
