import type { Socket } from 'node:net';
import type { ConnectionInfo } from '../../shared/model/connection.ts';
import type { ConnectionEnd, ConnectionEnder, EndReason } from '../../shared/model/insight/connection-end.ts';
import { systemCode } from '../failures/errors.ts';
import { epochOf } from './exchange/wall-clock.ts';
import { ConnectionFault } from './http2/error-codes.ts';
import type { BlockedTime } from './http2/sending/blocked-time.ts';

/** A connection that ends now. */
export function endedNow(by: ConnectionEnder, why: EndReason, code: number | null = null): ConnectionEnd {
  return { at: epochOf(performance.now()), by, why, code, windowBlocked: 0 };
}

/** The other side ended it, with this error of its socket. */
function endedByPeer(by: 'client' | 'upstream', error: Error | null): ConnectionEnd {
  return endedNow(by, systemCode(error) === 'ECONNRESET' ? 'reset' : 'closed');
}

/** An upstream connection is gone. One that switched protocols ends with its client, unless the server ended it. */
export function lostUpstream(socket: Socket, switched: boolean, error: Error | null): ConnectionEnd {
  const leftBehind = switched && !socket.readableEnded && error === null;
  return leftBehind ? endedNow('client', 'closed') : endedByPeer('upstream', error);
}

/**
 * The end of an upstream HTTP/1.1 connection, if the server or its stray bytes ended it; null otherwise. Without
 * Roundtrip it would be the end of the client's connection too.
 */
export function serversEnd({ protocol, end }: ConnectionInfo): ConnectionEnd | null {
  return protocol === 'http/1.1' && (end?.by === 'upstream' || end?.why === 'fault') ? end : null;
}

/** What an HTTP/2 connection knows about its end. */
export interface Http2End {
  /** The code of the peer's GOAWAY, or null. */
  readonly goaway: number | null;
  /** We sent one first. */
  readonly leaving: boolean;
  /** When its streams waited for windows. */
  readonly blocked: BlockedTime;
}

/** Completes the end of an HTTP/2 connection with `peer`. `error`: the peer's fault, or the socket's error. */
export function endHttp2(
  info: ConnectionInfo,
  peer: 'client' | 'upstream',
  { goaway, leaving, blocked }: Http2End,
  error: Error | null,
): void {
  const ended = info.end ?? http2End(peer, goaway, leaving, error);
  const closedWindows = blocked.stretches.map(([from, to]): [number, number] => [
    rounded(epochOf(from)),
    rounded(epochOf(to)),
  ]);
  const windowBlocked = rounded(blocked.total);
  info.end = { ...ended, windowBlocked, ...(closedWindows.length > 0 && { closedWindows }) };
}

/** To microseconds. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

function http2End(
  peer: 'client' | 'upstream',
  goaway: number | null,
  leaving: boolean,
  error: Error | null,
): ConnectionEnd {
  if (error instanceof ConnectionFault) return endedNow('us', 'fault');
  if (goaway !== null) return endedNow(peer, 'goaway', goaway);
  return leaving ? endedNow('us', 'idle') : endedByPeer(peer, error);
}

/** Who asked for the end of an HTTP/1 connection after this request. */
export function closerOf(retired: boolean, request: { keepAlive: boolean } | null): ConnectionEnder {
  if (retired) return 'us';
  return request?.keepAlive === false ? 'client' : 'upstream';
}

/** Notes which side first ends a client's HTTP/1 connection: the client (last byte or an error), or Roundtrip. */
export function noteClientEnd(socket: Socket, info: ConnectionInfo): void {
  const note = (end: ConnectionEnd) => {
    info.end ??= end;
  };
  socket.once('end', () => note(endedNow('client', 'closed')));
  socket.once('finish', () => note(endedNow('us', 'closed')));
  socket.once('error', (error: Error) => note(endedByPeer('client', error)));
  socket.once('close', () => note(endedNow('us', 'closed')));
}
