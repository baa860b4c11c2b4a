import type { Duplex } from 'node:stream';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import { failure } from '../../failures/errors.ts';
import { resetConnection } from '../tls/reset-below.ts';
import type { ClientConnection, ClientStream, RequestHandlers, Reset } from './client-stream.ts';
import type { GatheredWriter } from './gathered-writer.ts';
import { type BodyReader, bodyReader } from './h1-body.ts';
import type { H1Connection } from './h1-connection.ts';
import { writePayload } from './h1-payload.ts';
import { lastChunk, responseToHttp1 } from './header-rules.ts';
import { destroyWhenWritten } from './linger.ts';
import type { RequestHead, ResponseHead } from './message.ts';
import { view } from './view.ts';

/** How a response's body is written: `wire` unchanged, `chunked` by us, or `plain` (by length, or until the end). */
type BodyMode = 'wire' | 'chunked' | 'plain';

function framingLine(head: ResponseHead, request: RequestHead): { line: string; mode: BodyMode; close: boolean } {
  const named = head.headers.some((name, index) => index % 2 === 0 && name === 'content-length');
  const bodiless = request.method === 'HEAD' || head.status === 204 || head.status === 304;
  if (named || bodiless) return { line: '', mode: 'plain', close: false };
  if (head.framing.kind === 'none') return { line: 'Content-Length: 0\r\n', mode: 'plain', close: false };
  if (request.version === 'HTTP/1.0') return { line: 'Connection: close\r\n', mode: 'plain', close: true };
  return { line: 'Transfer-Encoding: chunked\r\n', mode: 'chunked', close: false };
}

/** One h1 request and the path for its response. */
export class H1ClientStream implements ClientStream {
  readonly connection: ClientConnection;
  readonly head: RequestHead;
  readonly headAt: number;
  readonly #client: H1Connection;
  readonly #writer: GatheredWriter;
  readonly #reader: BodyReader | null;
  #handlers: RequestHandlers | null = null;
  #requestDone: boolean;
  #held = false;
  #hasResponded = false;
  #responseDone = false;
  #keepAlive: boolean;
  /** The response's head. A fault in its trailers appears last; the connection then ends after them. */
  #response: ResponseHead | null = null;
  #mode: BodyMode = 'wire';
  #over = false;

  constructor(client: H1Connection, head: RequestHead, headAt: number) {
    this.#client = client;
    this.connection = client.connection;
    this.head = head;
    this.headAt = headAt;
    this.#writer = client.writer;
    this.#reader = bodyReader(head.framing, 'request');
    this.#requestDone = this.#reader === null;
    this.#keepAlive = head.keepAlive;
  }

  get respondedAt(): number {
    // Before the final head, the writer has the stamps of the message before.
    return this.#hasResponded ? this.#writer.firstAt : -1;
  }

  get wroteAt(): number {
    return this.#writer.lastAt;
  }

  receive(handlers: RequestHandlers): void {
    this.#handlers = handlers;
    if (this.#requestDone) handlers.requestEnd([]);
    else this.#client.parse();
  }

  /** Whether the request has arrived to its end. */
  get isWhole(): boolean {
    return this.#requestDone;
  }

  /** Whether this stream accepts bytes from the socket now. */
  get wantsBytes(): boolean {
    return !this.#requestDone && this.#handlers !== null && !this.#held;
  }

  /** Consumes the body's bytes and returns their count. Throws a FramingError. */
  takeBody(bytes: Buffer): number {
    const reader = this.#reader;
    const handlers = this.#handlers;
    if (!this.wantsBytes || !reader || !handlers) return 0;
    const end = reader.consume(bytes, 0);
    if (end > 0 && !handlers.requestPiece(view(bytes, 0, end), reader.payload)) this.#held = true;
    if (reader.done) {
      this.#requestDone = true;
      handlers.requestEnd(reader.trailers);
      this.#settle();
    }
    return end;
  }

  /** Flushes everything that the read caused to be written. */
  inputFlush(): void {
    this.#handlers?.requestFlush();
  }

  resumeBody(): void {
    if (!this.#held) return;
    this.#held = false;
    queueMicrotask(() => this.#client.parse());
  }

  /** Always true: `piece` reports bytes that the writer holds, by returning false. */
  get hasTakenAll(): boolean {
    return true;
  }

  drained(): void {
    this.#handlers?.clientDrained();
  }

  /** The body violates RFC 9112. Returns true if no response has begun, in which case an error response can be sent. */
  badBody(detail: string): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#handlers?.clientAborted(failure('client.bad-body', { detail }), 1);
    return !this.#hasResponded;
  }

  /** Aborts the exchange towards this client. `code`: the RST_STREAM code for an h2 upstream. */
  abort(about: Failure, code: number): void {
    if (this.#over) return;
    this.#over = true;
    this.#client.socket.destroy();
    this.#handlers?.clientAborted(about, code);
  }

  /**
   * `gone`: the client can no longer receive a response. Otherwise it only closed its sending side, and may still read.
   */
  inputEnded(gone: boolean): void {
    if (this.#over) return;
    if (!gone && this.#requestDone) {
      if (!this.#responseDone) this.#handlers?.clientHalfClosed();
      return;
    }
    this.#over = true;
    const about = this.#requestDone ? failure('client.aborted', {}) : failure('client.body-cut-short', {});
    this.#handlers?.clientAborted(about, 8);
    this.#client.socket.destroy();
  }

  informational(head: ResponseHead): void {
    if (this.head.version === 'HTTP/1.0') return;
    this.#writer.write(head.wire ?? responseToHttp1(head.status, head.headers, ''));
    this.#writer.flush();
  }

  respond(head: ResponseHead): void {
    this.#hasResponded = true;
    this.#response = head;
    this.#writer.begin();
    if (head.wire) {
      this.#writer.write(head.wire);
      if (!head.keepAlive || head.framing.kind === 'close') this.#keepAlive = false;
      return;
    }
    const { line, mode, close } = framingLine(head, this.head);
    this.#mode = mode;
    if (close) this.#keepAlive = false;
    this.#writer.write(responseToHttp1(head.status, head.headers, line));
  }

  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    if (this.#mode === 'wire' && wire) return this.#writer.write(wire);
    return writePayload(this.#writer, payload, this.#mode === 'chunked');
  }

  end(trailers: RawHeaders): void {
    if (this.#mode === 'chunked') this.#writer.write(lastChunk(trailers));
    this.#writer.flush();
    if (this.#response?.fault) this.#keepAlive = false;
    this.#responseDone = true;
    this.#settle();
  }

  flush(): void {
    this.#writer.flush();
  }

  /**
   * A response may start before its request is complete. The rest is read, or dropped if the connection ends with it.
   */
  #settle(): void {
    if (this.#over || !this.#responseDone) return;
    if (!this.#requestDone && this.#keepAlive) return;
    this.#over = true;
    if (!this.#requestDone) this.#handlers?.clientAborted(failure('client.body-cut-short', {}), 8);
    this.#client.finished(this.#keepAlive && this.#requestDone);
  }

  reset(reset: Reset): void {
    if (this.#over) return;
    this.#over = true;
    this.#writer.goOut();
    // The whole response was written before this; it still has to reach the client.
    if (this.#responseDone) {
      this.#client.finished(false);
      return;
    }
    const { socket } = this.#client;
    if (!reset.tcpReset) destroyWhenWritten(socket);
    else if (reset.afterBody) destroyWhenWritten(socket, resetConnection);
    else resetConnection(socket);
  }

  upgrade(): { socket: Duplex; ahead: Buffer } {
    this.#over = true;
    return { socket: this.#client.socket, ahead: this.#client.detach() };
  }
}
