import * as http2 from 'node:http2';
import type { Socket } from 'node:net';
import type { Failure } from '../../../shared/model/failure.ts';
import type { Limits } from '../../../shared/model/limits.ts';
import { failure } from '../errors.ts';
import { clientRejection } from '../tls/client-trust-failure.ts';
import type { ClientConnection, ClientProblemHandler, ClientStreamHandler } from './client-stream.ts';
import { H2ClientStream } from './h2-client-stream.ts';
import { FloodWatch } from './h2-flood-watch.ts';
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
    maxHeaderListPairs: limits.http2HeaderFields,
    maxSendHeaderBlockLength: limits.headBytes,
    // Servers do send `etag` or `x-content-type-options` twice; Node would throw, and it is not ours to judge (law 3).
    strictSingleValueFields: false,
  };
}

function serverOf(limits: Limits): http2.Http2Server {
  return http2.createServer({
    ...http2Options(limits),
    // nghttp2's own, which names no reason, comes behind ours.
    streamResetBurst: 4 * limits.http2Resets,
    streamResetRate: limits.http2Resets,
  });
}

const MALFORMED = 'an HTTP/2 request whose method, scheme, path or authority is missing, or whose host is another';

/** Milliseconds. */
const WEIGH_EVERY = 250;

/** The h2 face to clients: one for the engine, each connection a session of it. */
export class H2Clients {
  readonly #watches = new Set<FloodWatch>();
  #server: http2.Http2Server;
  #limits: Limits;
  #weighing: NodeJS.Timeout | null = null;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#server = serverOf(limits);
  }

  /** Counts for the connections that begin from now on. */
  apply(limits: Limits): void {
    this.#limits = limits;
    this.#server = serverOf(limits);
  }

  /** Serves h2 on a socket: after ALPN chose it, or behind a connection preface that has not been read. */
  serve(socket: Socket, connection: ClientConnection, handlers: H2ClientHandlers): void {
    // h2 knows no half-closed connection: a client that ends its side is gone, and would be held for ever.
    socket.allowHalfOpen = false;
    this.#server.once('session', (session: http2.ServerHttp2Session) =>
      this.#begin(session, socket, connection, handlers),
    );
    this.#server.emit('connection', socket);
  }

  #begin(
    session: http2.ServerHttp2Session,
    socket: Socket,
    connection: ClientConnection,
    handlers: H2ClientHandlers,
  ): void {
    const limits = this.#limits;
    const { NGHTTP2_PROTOCOL_ERROR, NGHTTP2_ENHANCE_YOUR_CALM } = http2.constants;
    session.setLocalWindowSize(limits.http2ConnectionWindow);
    let cutOff = false;
    const flood = new FloodWatch(session, socket, limits, (about) => {
      cutOff = true;
      handlers.problem(about, connection, null);
      session.destroy(undefined, NGHTTP2_ENHANCE_YOUR_CALM);
      // What is on the way to a client that reads nothing would never be out.
      socket.destroy();
    });
    this.#watch(session, flood);
    const refuse = (stream: http2.ServerHttp2Stream, about: Failure, code: number): void => {
      handlers.problem(about, connection, null);
      // Nobody else listens to it, and an error that nobody hears ends the thread.
      stream.on('error', () => {});
      stream.close(code);
    };
    session.on('stream', (stream, headers, flags, raw?: string[]) => {
      const request = H2ClientStream.open(stream, rawFields(headers, raw), flags, connection, flood);
      if (!request) {
        refuse(stream, failure('client.bad-request', { detail: MALFORMED }), NGHTTP2_PROTOCOL_ERROR);
      } else if (request.head.size > limits.headBytes) {
        // What a client sends before it has our settings is not held to them by node:http2.
        refuse(stream, failure('client.head-too-large', { limit: limits.headBytes }), NGHTTP2_ENHANCE_YOUR_CALM);
      } else {
        request.limitSilence(limits.clientSilence);
        handlers.stream(request);
        connection.info.reused = true;
      }
    });
    // Mirrored: a browser that is told of RFC 8441 opens its WebSockets on this session, and the origin must take them.
    const done = handlers.whenExtendedConnect(() => {
      if (!session.destroyed) session.settings({ ...http2Options(limits).settings, enableConnectProtocol: true });
    });
    session.on('close', done);
    // What is open ends first: a long poll, or a call both ways that says nothing for a while.
    session.setTimeout(limits.clientSilence, () => session.close());
    session.on('error', (error) => {
      // The client's verdict on our certificate is the tunnel's to tell.
      if (cutOff || clientRejection(error, '')) return;
      handlers.problem(failure('client.http2-error', { detail: error.message }), connection, null);
    });
  }

  #watch(session: http2.ServerHttp2Session, flood: FloodWatch): void {
    this.#watches.add(flood);
    this.#weighing ??= setInterval(() => {
      for (const each of this.#watches) each.weigh();
    }, WEIGH_EVERY).unref();
    session.on('close', () => {
      this.#watches.delete(flood);
      if (this.#watches.size > 0 || this.#weighing === null) return;
      clearInterval(this.#weighing);
      this.#weighing = null;
    });
  }
}
