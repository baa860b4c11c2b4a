import * as http2 from 'node:http2';
import type { Duplex } from 'node:stream';
import { failure } from '../errors.ts';
import type { Limits } from '../listen/limits.ts';
import { clientRejection } from '../tls/client-trust-failure.ts';
import type { ClientConnection, ClientProblemHandler, ClientStreamHandler } from './client-stream.ts';
import { H2ClientStream } from './h2-client-stream.ts';
import { rawFields } from './h2-headers.ts';

export interface H2ClientHandlers {
  stream: ClientStreamHandler;
  problem: ClientProblemHandler;
  /** Calls back once when the origin behind a tunnel takes extended CONNECT; returns what ends the waiting. */
  whenExtendedConnect(tell: () => void): () => void;
}

/** The settings of our side of an h2 connection, towards clients and upstream alike. */
export function http2Options(limits: Limits): http2.SessionOptions & http2.ServerOptions {
  return {
    settings: {
      initialWindowSize: limits.http2StreamWindow,
      maxConcurrentStreams: limits.http2Streams,
      maxHeaderListSize: limits.headBytes,
    },
    // In MiB. The connection's window bounds what a peer can have us hold; Node's own default of 10 is below ours.
    maxSessionMemory: 64,
    maxHeaderListPairs: 2_000,
    maxSendHeaderBlockLength: limits.headBytes,
    // Servers do send `etag` or `x-content-type-options` twice; Node would throw, and it is not ours to judge (law 3).
    strictSingleValueFields: false,
  };
}

/** The h2 face to clients: one for the engine, each connection a session of it. */
export class H2Clients {
  readonly #server: http2.Http2Server;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#server = http2.createServer(http2Options(limits));
  }

  /** Serves h2 on a socket: after ALPN chose it, or behind a connection preface that has not been read. */
  serve(socket: Duplex, connection: ClientConnection, handlers: H2ClientHandlers): void {
    // h2 knows no half-closed connection: a client that ends its side is gone, and would be held for ever.
    socket.allowHalfOpen = false;
    this.#server.once('session', (session: http2.ServerHttp2Session) => this.#begin(session, connection, handlers));
    this.#server.emit('connection', socket);
  }

  #begin(session: http2.ServerHttp2Session, connection: ClientConnection, handlers: H2ClientHandlers): void {
    session.setLocalWindowSize(this.#limits.http2ConnectionWindow);
    session.on('stream', (stream, headers, flags, raw?: string[]) => {
      const fields = rawFields(headers, raw);
      const request = H2ClientStream.open(stream, fields, flags, connection);
      if (request) {
        request.limitSilence(this.#limits.clientSilence);
        handlers.stream(request);
        connection.info.reused = true;
        return;
      }
      handlers.problem(
        failure('client.bad-request', {
          detail: 'an HTTP/2 request whose method, scheme, path or authority is missing, or whose host is another',
        }),
        connection,
        null,
      );
      // Nobody else listens to it, and an error that nobody hears ends the thread.
      stream.on('error', () => {});
      stream.close(http2.constants.NGHTTP2_PROTOCOL_ERROR);
    });
    // Mirrored: a browser that is told of RFC 8441 opens its WebSockets on this session, and the origin must take them.
    const done = handlers.whenExtendedConnect(() => {
      if (!session.destroyed) session.settings({ ...http2Options(this.#limits).settings, enableConnectProtocol: true });
    });
    session.on('close', done);
    // What is open ends first: a long poll, or a call both ways that says nothing for a while.
    session.setTimeout(this.#limits.clientSilence, () => session.close());
    session.on('error', (error) => {
      // The client's verdict on our certificate is the tunnel's to tell.
      if (clientRejection(error, '')) return;
      handlers.problem(failure('client.http2-error', { detail: error.message }), connection, null);
    });
  }
}
