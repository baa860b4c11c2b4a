import type { Socket } from 'node:net';
import { firstHeader } from '../../../shared/model/headers.ts';
import type { ConnectionEnd } from '../../../shared/model/insight/connection-end.ts';
import type { Limits } from '../../../shared/model/limits.ts';
import { naglesForProxies } from '../../../shared/model/proxy/nagle-for-proxies.ts';
import { failure, failureOf } from '../../failures/errors.ts';
import { serversEnd } from '../connection-ending.ts';
import { acknowledgeNow } from '../quick-ack.ts';
import { resetConnection } from '../tls/reset-below.ts';
import { turn } from '../turn.ts';
import type { ClientConnection, ClientProblemHandler, ClientStreamHandler } from './client-stream.ts';
import { GatheredWriter } from './gathered-writer.ts';
import { H1ClientStream } from './h1-client-stream.ts';
import type { H1Connection } from './h1-connection.ts';
import { FramingError, findHeadEnd, parseRequestLine, skipEmptyLines } from './h1-head.ts';
import { type ConnectHead, readConnectHead, readRequestHead } from './h1-request.ts';
import { endAndLinger } from './linger.ts';
import { view } from './view.ts';

/** Events of an h1 connection. */
export interface H1ClientHandlers {
  stream: ClientStreamHandler;
  problem: ClientProblemHandler;
  /** CONNECT on a connection to the proxy: the face releases the socket. `ahead`: bytes read after the head. */
  connect(head: ConnectHead, ahead: Buffer): void;
}

const NOTHING = Buffer.alloc(0);

/**
 * How long the end of an idle client connection waits for a request that the client has sent meanwhile, milliseconds.
 * Such a request gets another connection in place of a failure. With a server that closes 1 ms after its responses,
 * 1,952 of 10,000 requests failed direct, 2,068 in tunnels that ended at once, and 109 in tunnels that wait.
 */
const LAST_REQUEST = 50;

/**
 * How many bytes of pipelined requests are read while a response is under way. A paused socket does not report its end,
 * and the server would keep working for a client that has disconnected.
 */
const READ_AHEAD = 16_384;

/**
 * The h1 face to a client: parses requests from a socket's bytes, one at a time. Pipelined requests wait in the buffer
 * until the previous response is out. The socket is paused when many wait, which bounds their memory.
 */
export class H1Client implements H1Connection {
  readonly socket: Socket;
  /** Shared by all streams: only one exists at a time. */
  readonly writer: GatheredWriter;
  readonly connection: ClientConnection;
  readonly limits: Limits;
  readonly #handlers: H1ClientHandlers;
  /** Nothing has shown yet that the connection carries HTTP. */
  #mayBeOther: boolean;
  #rest: Buffer = NOTHING;
  #stream: H1ClientStream | null = null;
  #headTimer: NodeJS.Timeout | null = null;
  #parsing = false;
  #inputEnded = false;
  /** `performance.now()`: the earliest time at which the last read's bytes can have arrived, or could be processed. */
  #readAt = -1;

  constructor(socket: Socket, connection: ClientConnection, limits: Limits, handlers: H1ClientHandlers) {
    this.socket = socket;
    this.writer = new GatheredWriter(socket);
    this.connection = connection;
    this.limits = limits;
    this.#handlers = handlers;
    this.#mayBeOther = connection.otherProtocol !== undefined;
  }

  /** `ahead`: bytes read before this face got the socket. */
  start(ahead: Buffer): void {
    // 'close' and 'end' may have fired before any listener was attached.
    if (this.socket.destroyed) return;
    this.#inputEnded = this.socket.readableEnded;
    this.socket.on('data', this.#onData);
    this.socket.on('end', this.#onEnd);
    this.socket.on('error', this.#onError);
    this.socket.on('close', this.#onClose);
    this.socket.on('drain', this.#onDrain);
    this.socket.on('timeout', this.#onSilence);
    this.socket.setTimeout(this.limits.clientSilence);
    if (this.connection.context.target) this.#followServer(this.connection);
    // Resume before parsing `ahead`: a CONNECT in it releases the socket paused, and nothing may flow after that.
    this.socket.resume();
    if (ahead.length > 0) this.#onData(ahead);
    else if (this.#inputEnded) this.#onEnd();
  }

  /**
   * Releases the socket and returns the bytes read ahead. Responses that wait for the end of the turn are written
   * first.
   */
  detach(): Buffer {
    this.writer.goOut();
    this.socket.pause();
    this.socket.off('data', this.#onData);
    this.socket.off('end', this.#onEnd);
    this.socket.off('error', this.#onError);
    this.socket.off('close', this.#onClose);
    this.socket.off('drain', this.#onDrain);
    this.socket.off('timeout', this.#onSilence);
    this.socket.setTimeout(0);
    this.#clearHeadTimer();
    const rest = this.#rest;
    this.#rest = NOTHING;
    return rest;
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#readAt = turn.reads();
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#mayBeOther && this.#isOther()) this.#leave();
    else this.parse();
    const stream = this.#stream;
    // Without a proxy, this body would not wait: 44 ms for each POST of Python's requests, instead of 0.7.
    if (stream && !stream.isWhole && naglesForProxies(firstHeader(stream.head.headers, 'user-agent') ?? ''))
      acknowledgeNow(this.socket);
  };

  /** Judges a connection by its first bytes. */
  #isOther(): boolean {
    const isOther = this.connection.otherProtocol?.isOther(this.#rest) ?? null;
    this.#mayBeOther = isOther === null;
    return isOther === true;
  }

  #leave(): void {
    this.#mayBeOther = false;
    delete this.connection.upstreamGone;
    this.connection.otherProtocol?.carry(this.detach());
  }

  /** The server speaks before the client's first request: this is not HTTP. */
  readonly #onServersWord = (): void => {
    if (this.#mayBeOther && !this.socket.destroyed) this.#leave();
  };

  readonly #onEnd = (): void => {
    this.#inputEnded = true;
    // What could have begun a request is all that the client sends.
    if (this.#mayBeOther && this.#rest.length > 0) this.#leave();
    else this.#guarded(() => this.#endOfInput());
  };

  /**
   * A client that closes its sending side may still read. Its end takes effect after the whole request, and applies to
   * each pipelined request: the server decides, as it would without us, whether it still responds.
   */
  #endOfInput(): void {
    const stream = this.#stream;
    if (!stream) this.#end();
    else if (this.#rest.length === 0 || stream.isWhole) stream.inputEnded(false);
  }

  readonly #onError = (): void => {
    this.socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#clearHeadTimer();
    this.#guarded(() => this.#stream?.inputEnded(true));
    this.#stream = null;
  };

  /** Nothing passed for `clientSilence`. While we wait for upstream's response, upstream's own timeouts apply. */
  readonly #onSilence = (): void => {
    const stream = this.#stream;
    // The client no longer reads, or it received our end and keeps its own side open.
    if (!stream && (this.socket.writableEnded || this.socket.writableLength > 0)) this.socket.destroy();
    else if (!stream) this.#end();
    else if (stream.wantsBytes || this.socket.writableNeedDrain)
      stream.abort(failure('client.stalled', { seconds: this.limits.clientSilence / 1000 }), 8);
    // The silence may become the client's later without another byte, and Node fires 'timeout' only once per silence.
    else this.socket.setTimeout(this.limits.clientSilence);
  };

  readonly #onDrain = (): void => {
    this.#guarded(() => this.#stream?.drained());
  };

  /** One bad exchange must not break others (law 6): an internal error ends this connection only. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#handleInternalError(error);
    }
  }

  #handleInternalError(error: unknown): void {
    const stream = this.#stream;
    this.#stream = null;
    this.socket.destroy();
    const about = failureOf(error);
    try {
      if (stream) stream.abort(about, 2);
      else this.#handlers.problem(about, this.connection, null);
    } catch {
      // The exchange itself failed: its row stays open until the engine closes.
    }
  }

  /** Continues parsing: called with new bytes, and when a stream can accept more. */
  parse(): void {
    if (this.#parsing) return;
    this.#parsing = true;
    try {
      while (this.#step()) {
        // Each step consumes one head, or one read's part of a body.
      }
      this.#parsing = false;
      this.#stream?.inputFlush();
      if (this.#inputEnded) this.#endOfInput();
    } catch (error) {
      if (error instanceof FramingError) this.#refuse(error);
      else this.#handleInternalError(error);
    } finally {
      this.#parsing = false;
    }
  }

  /** Returns true if another step may make progress. */
  #step(): boolean {
    if (this.socket.destroyed) return false;
    const stream = this.#stream;
    if (stream) {
      if (this.#rest.length > 0) this.#rest = view(this.#rest, stream.takeBody(this.#rest), this.#rest.length);
      this.#hold(!stream.wantsBytes && this.#rest.length > READ_AHEAD);
      return false;
    }
    return this.#readHead();
  }

  #hold(hold: boolean): void {
    if (hold === this.socket.isPaused()) return;
    if (hold) this.socket.pause();
    else this.socket.resume();
  }

  #readHead(): boolean {
    const start = skipEmptyLines(this.#rest, 0);
    if (start > 0) this.#rest = view(this.#rest, start, this.#rest.length);
    if (this.#rest.length === 0) return false;
    const end = findHeadEnd(this.#rest, 0, this.limits.headBytes);
    if (end < 0) {
      this.#armHeadTimer();
      return false;
    }
    this.#clearHeadTimer();
    const bytes = view(this.#rest, 0, end);
    this.#rest = view(this.#rest, end, this.#rest.length);
    const text = bytes.toString('latin1');
    const line = parseRequestLine(text);
    if (line.method === 'CONNECT' && !this.connection.context.target) {
      const head = readConnectHead(text, line);
      this.#handlers.connect(head, this.detach());
      return false;
    }
    const head = readRequestHead(bytes, text, line, this.connection.context);
    // A request cannot start before the previous response ended, however busy the loop was.
    this.#stream = new H1ClientStream(this, head, Math.max(this.#readAt, this.writer.lastAt));
    this.#handlers.stream(this.#stream);
    return true;
  }

  /** The stream's response was sent and its request received: keeps the connection, or ends it as negotiated. */
  finished(keepAlive: boolean): void {
    this.#stream = null;
    if (!keepAlive || (this.#inputEnded && this.#rest.length === 0)) {
      this.#end();
      return;
    }
    this.connection.info.reused = true;
    if (this.connection.upstreamGone) this.#followEnd();
    if (this.socket.isPaused()) this.socket.resume();
    if (this.#rest.length === 0) return;
    this.#readAt = performance.now();
    queueMicrotask(() => this.parse());
  }

  /** The connection opened for the client's first request may end before it. */
  #followServer(connection: ClientConnection): void {
    connection.upstreamGone = () => this.#followEnd();
    const { sticky } = connection;
    if (sticky?.info.protocol !== 'http/1.1') return;
    sticky.user ??= connection;
    if (!this.#mayBeOther) return;
    sticky.onFirstWord = this.#onServersWord;
    if (sticky.hasSpokenFirst) queueMicrotask(this.#onServersWord);
  }

  /** The server's end of the connection that carried this client's last request; null if it has not ended that. */
  get #serversEnd(): ConnectionEnd | null {
    const { sticky } = this.connection;
    return sticky && serversEnd(sticky.info);
  }

  /**
   * A client between two requests loses its connection as it would without us, when the server ends its own. A
   * connection to the proxy itself serves any server, and stays.
   */
  #followEnd(): void {
    if (this.#serversEnd) setTimeout(() => this.#endWithServer(), LAST_REQUEST).unref();
  }

  #endWithServer(): void {
    const end = this.#serversEnd;
    if (!end || this.#stream || this.#rest.length > 0 || this.socket.destroyed) return;
    this.connection.info.end ??= end;
    if (end.why === 'reset') resetConnection(this.socket);
    else this.#end();
  }

  #armHeadTimer(): void {
    if (this.#headTimer) return;
    this.#headTimer = setTimeout(() => {
      this.#handlers.problem(
        failure('client.idle-timeout', { seconds: this.limits.requestHeadTime / 1000 }),
        this.connection,
        null,
      );
      this.socket.destroy();
    }, this.limits.requestHeadTime);
  }

  #clearHeadTimer(): void {
    if (this.#headTimer) clearTimeout(this.#headTimer);
    this.#headTimer = null;
  }

  /** Answers an invalid request with 400 or 431 and ends the connection, because its framing is lost. */
  #refuse(error: FramingError): void {
    this.#clearHeadTimer();
    const stream = this.#stream;
    if (stream) {
      this.#stream = null;
      if (stream.badBody(error.message)) this.#respond('400 Bad Request');
      else this.socket.destroy();
      return;
    }
    const status = error.tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request';
    const about = error.tooLarge
      ? failure('client.head-too-large', { limit: this.limits.headBytes })
      : failure('client.bad-request', { detail: error.message });
    this.#handlers.problem(about, this.connection, null);
    this.#respond(status);
  }

  #respond(status: string): void {
    this.writer.write(Buffer.from(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`));
    this.#end();
  }

  /** Anything the client still sends is not a request (RFC 9112, section 9.6). */
  #end(): void {
    this.writer.goOut();
    this.#rest = NOTHING;
    this.socket.off('data', this.#onData);
    endAndLinger(this.socket, this.limits.clientSilence);
  }
}
