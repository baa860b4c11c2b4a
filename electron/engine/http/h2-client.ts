import type { Duplex } from 'node:stream';
import type { Failure } from '../../../shared/model/failure.ts';
import type { Limits } from '../../../shared/model/limits.ts';
import { failure } from '../../failures/errors.ts';
import { endHttp2 } from '../connection-ending.ts';
import { Http2Connection } from '../http2/connection.ts';
import type { Http2Options } from '../http2/connection-options.ts';
import { CODE, ConnectionFault, codeName } from '../http2/error-codes.ts';
import { FloodFault } from '../http2/flood-watch.ts';
import { HeadTooLarge } from '../http2/header-assembly.ts';
import type { ClientConnection, ClientProblemHandler, ClientStreamHandler } from './client-stream.ts';
import { H2ClientStream } from './h2-client-stream.ts';

export interface H2ClientHandlers {
  stream: ClientStreamHandler;
  problem: ClientProblemHandler;
  /** Calls `tell` once, when the origin behind a tunnel supports extended CONNECT. Returns a function that cancels. */
  whenExtendedConnect(tell: () => void): () => void;
}

/** Our HTTP/2 settings, the same for clients and upstream. */
export function http2Options(limits: Limits): Omit<Http2Options, 'server' | 'idleTime' | 'streamSilence'> {
  return {
    streamWindow: limits.http2StreamWindow,
    connectionWindow: limits.http2ConnectionWindow,
    streams: limits.http2Streams,
    headBytes: limits.headBytes,
    headFields: limits.http2HeaderFields,
    floods: limits,
  };
}

/**
 * Maximum time that our SETTINGS wait for upstream's, milliseconds. No response can arrive before upstream's either.
 */
const SETTINGS_TIME = 1_000;

/**
 * If the tunnel's upstream connection is new, our SETTINGS wait for upstream's, as without us: the first SETTINGS show
 * whether the origin supports extended CONNECT, and clients may check only those. They also have its limit of
 * concurrent requests (`allow`). The client's requests do not wait.
 */
function whenSettled(
  { sticky }: ClientConnection,
  allow: (streams: number) => void,
): ((ready: () => void) => void) | null {
  if (!sticky?.whenSettled) return null;
  return (ready) => {
    const timer = setTimeout(ready, SETTINGS_TIME).unref();
    sticky.whenSettled?.((streams) => {
      clearTimeout(timer);
      allow(streams);
      ready();
    });
  };
}

function headTooLarge({ headBytes }: Limits): Failure {
  return failure('client.head-too-large', { limit: headBytes });
}

function leftWith(code: number, debug: string): Failure {
  const why = debug === '' ? codeName(code) : `${codeName(code)}, ${JSON.stringify(debug)}`;
  return failure('client.http2-error', { detail: `the client closed the connection with ${why}` });
}

/** Why a connection ended through a fault of its client, or ours; null: it ended normally. */
function endedBy(error: Error | null, limits: Limits): Failure | null {
  if (error instanceof HeadTooLarge) return headTooLarge(limits);
  if (error instanceof FloodFault) {
    const { limit, what, limitName } = error;
    return failure('client.http2-flood', { limit, what, name: limitName });
  }
  if (!(error instanceof ConnectionFault)) return null;
  const code = error.code === CODE.INTERNAL_ERROR ? 'engine.internal' : 'client.http2-error';
  return failure(code, { detail: error.message });
}

/** Serves h2 on a client's socket: after ALPN selected it, or when a connection preface is waiting unread. */
export function serveHttp2(
  socket: Duplex,
  connection: ClientConnection,
  limits: Limits,
  handlers: H2ClientHandlers,
): void {
  connection.multiplexes = true;
  // h2 has no half-closed connections. A client that ends its side is gone, and its socket would stay open forever.
  socket.allowHalfOpen = false;
  const { clientSilence } = limits;
  const times = { idleTime: clientSilence, streamSilence: clientSilence };
  const allow = (streams: number): void => http2.allowStreams(streams);
  const options = { ...http2Options(limits), ...times, server: true, whenReady: whenSettled(connection, allow) };
  const tell = (about: Failure): void => handlers.problem(about, connection, null);
  const badRequest = (detail: string): void => tell(failure('client.bad-request', { detail }));
  const http2 = new Http2Connection(socket, options, {
    request: (stream, fields, endStream) => {
      const request = H2ClientStream.open(stream, { fields, endStream }, connection, clientSilence);
      if (!request) {
        badRequest('an HTTP/2 request whose authority is missing, malformed, or different from its host');
        stream.reset(CODE.PROTOCOL_ERROR);
        return;
      }
      handlers.stream(request);
      connection.info.reused = true;
    },
    refused: (fault) => {
      if (fault !== null) badRequest(`an HTTP/2 request with ${fault}`);
      else tell(headTooLarge(limits));
    },
    settings: () => {},
    goaway: (code, debug) => {
      if (code !== CODE.NO_ERROR) tell(leftWith(code, debug));
    },
    streamOver: () => {},
    closed: (error) => {
      endHttp2(connection.info, 'client', http2, error);
      forget();
      const about = endedBy(error, limits);
      if (about) tell(about);
    },
  });
  // On a connection to its proxy, a client also sends requests for other origins.
  if (connection.context.target) {
    connection.upstreamLeaves = (goaway, exchanges) => {
      if (exchanges === http2.streams) http2.leave(goaway);
    };
    // Mirror the origin: a client then queues the requests over its limit as it would without us, and the origin gets
    // them over one connection.
    connection.upstreamAllows = allow;
    if (connection.sticky) connection.sticky.user ??= connection;
  }
  // Mirror the origin: a browser that sees RFC 8441 support opens its WebSockets on this session; the origin must
  // accept them.
  const forget = handlers.whenExtendedConnect(() => http2.takeProtocol());
  http2.start();
}
