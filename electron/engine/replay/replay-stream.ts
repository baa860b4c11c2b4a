import type { RawHeaders } from '../../../shared/model/headers.ts';
import { failureOf } from '../../failures/errors.ts';
import type { ClientConnection, ClientStream, RequestHandlers } from '../http/client-stream.ts';
import { lastChunk } from '../http/header-rules.ts';
import type { RequestHead, ResponseHead } from '../http/message.ts';
import type { ReplayBody } from './replay-body.ts';

/** RST_STREAM's CANCEL (RFC 9113, section 7), for an h2 upstream. */
const CANCEL = 8;

/**
 * A request by Roundtrip itself in place of a client's: the driver treats both alike. The response is recorded and then
 * dropped.
 */
export class ReplayStream implements ClientStream {
  readonly connection: ClientConnection;
  readonly head: RequestHead;
  readonly headAt = performance.now();
  readonly hasTakenAll = true;
  respondedAt = -1;
  wroteAt = -1;
  readonly #body: ReplayBody;
  readonly #trailers: RawHeaders;
  #resume: (() => void) | null = null;
  #over = false;

  constructor(connection: ClientConnection, head: RequestHead, body: ReplayBody, trailers: RawHeaders) {
    this.connection = connection;
    this.head = head;
    this.#body = body;
    this.#trailers = trailers;
  }

  receive(handlers: RequestHandlers): void {
    if (this.head.framing.kind === 'none') handlers.requestEnd([]);
    else void this.#send(handlers);
  }

  /** Pieces that are available go out in the same turn as the head. */
  async #send(handlers: RequestHandlers): Promise<void> {
    try {
      for (let next = this.#body.next(); ; next = this.#body.next()) {
        const piece = next instanceof Promise ? await next : next;
        if (this.#over) return;
        if (piece === null) break;
        const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
        if (!handlers.requestPiece(this.#framed(bytes), [bytes])) await this.#drained();
        handlers.requestFlush();
      }
      this.#end(handlers);
    } catch (error) {
      handlers.clientAborted(failureOf(error), CANCEL);
    }
  }

  #end(handlers: RequestHandlers): void {
    if (this.head.framing.kind === 'chunked') handlers.requestPiece(lastChunk(this.#trailers), []);
    handlers.requestEnd(this.#trailers);
    handlers.requestFlush();
  }

  /** The piece as an h1 upstream gets it; null on h2. A recorded body has no chunks: each piece becomes one. */
  #framed(bytes: Buffer): Buffer | null {
    if (this.head.wire === null) return null;
    if (this.head.framing.kind !== 'chunked') return bytes;
    return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  resumeBody(): void {
    this.#resume?.();
    this.#resume = null;
  }

  informational(): void {
    // The record has it.
  }

  respond(_head: ResponseHead): void {
    this.respondedAt = performance.now();
  }

  piece(): boolean {
    return true;
  }

  end(): void {
    this.wroteAt = performance.now();
  }

  flush(): void {
    // Nothing waits to be written.
  }

  reset(): void {
    this.ended();
  }

  /** The exchange is over. The rest of the body is not needed. */
  ended(): void {
    this.#over = true;
    this.#body.close();
    this.resumeBody();
  }

  /** A request for another protocol is refused before it is sent. */
  upgrade(): null {
    return null;
  }
}
