import { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ConnectionInfo, Protocol } from '../../../../shared/model/connection.ts';
import type { Limits } from '../../../../shared/model/limits.ts';
import { tlsInfoOf } from '../../tls/tls-info.ts';
import { H1Upstream } from '../h1/h1-upstream.ts';
import { H2Upstream } from '../h2/h2-upstream.ts';
import type { Origin } from '../origin.ts';
import type { UpstreamTrust } from '../trust/server-trust.ts';
import { forgetPeer } from '../trust/server-trust-failure.ts';
import type { ConnectionOwner, Opening, UpstreamConnection } from '../upstream-stream.ts';
import { type Answer, answered, UNASKED } from './open-socket.ts';
import { openTls, type TlsSessions } from './open-tls.ts';
import { type EarlySocket, openWay, type Way, type WayContext } from './open-way.ts';

/** What the engine provides for opening a connection. */
export interface OpeningContext extends WayContext {
  readonly limits: Limits;
  trustOf(origin: Origin): UpstreamTrust;
  readonly sessions: TlsSessions;
  nextConnectionId(): number;
  /** `info.end` has the reason. */
  connectionEnded(info: ConnectionInfo): void;
}

function describeConnection(
  id: number,
  origin: Origin,
  way: Pick<Way, 'localAddress' | 'remoteAddress'>,
  { protocol, tls }: { protocol: Protocol; tls: TLSSocket | null },
): ConnectionInfo {
  return {
    id,
    protocol,
    localAddress: way.localAddress,
    remoteAddress: way.remoteAddress,
    reused: false,
    tls: tls && tlsInfoOf(tls, origin.serverName, true),
    via: origin.proxy?.label ?? null,
  };
}

/** The phases so far. A connection that was started early did its DNS lookup and TCP handshake before `startedAt`. */
function openingOf(startedAt: number, way: Way, tls: Answer, isEarly: boolean): Opening {
  const { dns, tcp, tcpEndedAt } = way;
  const endedAt = performance.now();
  return {
    startedAt: isEarly ? Math.min(startedAt, tcpEndedAt - tcp - Math.max(dns, 0)) : startedAt,
    endedAt,
    dns,
    connect: Math.max(tcp + (endedAt - tcpEndedAt) - tls.late, tls.took),
    ssl: tls.took,
    late: way.late + tls.late,
    failed: [],
  };
}

/**
 * Opens a connection to the origin: TCP, the upstream proxy's CONNECT, TLS, and h1 or h2 as ALPN or prior knowledge
 * decides. Rejects with a ConnectionError. A plain HTTP/1.1 origin needs no tunnel through a proxy: its requests name
 * the origin.
 */
export async function openConnection(
  origin: Origin,
  context: OpeningContext,
  owner: ConnectionOwner,
  early: EarlySocket | null,
): Promise<UpstreamConnection> {
  const { limits } = context;
  const startedAt = performance.now();
  const way = await openWay(origin, context, early);
  const { socket, auth, proxy } = way;
  let secure: TLSSocket | null = null;
  let tls = UNASKED;
  if (origin.scheme === 'https') {
    const from = performance.now();
    const opened = await openTls(socket, origin, context.trustOf(origin), {
      sessions: context.sessions,
      timeLimit: limits.connectTime,
    });
    secure = opened.secure;
    tls = answered(from, opened.endedAt);
  }
  const opening = openingOf(startedAt, way, tls, early !== null);
  const isHttp2 = secure ? secure.alpnProtocol === 'h2' : origin.alpn.includes('h2');
  const by = proxy === origin.proxy ? origin : { ...origin, proxy };
  const protocol = isHttp2 ? 'h2' : 'http/1.1';
  const info = describeConnection(context.nextConnectionId(), by, way, { protocol, tls: secure });
  if (secure) forgetPeer(secure);
  const line = secure ?? socket;
  const opened = { origin: by, info, opening, owner, limits };
  if (isHttp2) return new H2Upstream({ ...opened, socket: line });
  // Only TLS and HTTP/2 run over a stream to a proxy.
  if (!(line instanceof Socket)) throw new Error('a plain HTTP/1.1 request needs a TCP connection');
  return new H1Upstream({ ...opened, socket: line }, auth);
}
