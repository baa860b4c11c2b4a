import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { NeverIndexed } from '../http/message.ts';
import { CODE, type ConnectionFault, StreamFault } from './error-codes.ts';
import { SendQueue } from './send-queue.ts';

/** Bytes that wait to be sent from which a stream asks its source to hold. */
const HIGH_WATER = 128 * 1024;

/** How a stream ended before both sides had said END_STREAM. */
export interface StreamClose {
  /** The peer reset it, or took it not (GOAWAY); the peer broke the protocol; the connection ended. */
  by: 'peer' | 'fault' | 'loss';
  /** The code of RST_STREAM, the peer's or ours. */
  code: number;
  cause: Error | null;
}

/** What a stream tells. After `onClosed` nothing comes any more. */
export interface StreamHandlers {
  /** A response's head, informational ones before it. */
  onHead(fields: RawHeaders, endStream: boolean): void;
  /** False asks to hold until `resume`. */
  onData(bytes: Buffer): boolean;
  onEnd(trailers: RawHeaders): void;
  /** One read of the socket is over that brought this stream something. */
  onReadOver(): void;
  /** What was written went out. */
  onDrained(): void;
  onClosed(how: StreamClose): void;
}

/** The connection, as its streams see it. */
export interface StreamCarrier {
  /** `performance.now()` of the last read or write. */
  readonly now: number;
  sendHead(stream: Http2Stream, fields: RawHeaders, endStream: boolean, neverIndexed: NeverIndexed): void;
  /** The stream has bytes, or its end, to send. */
  wantsToSend(stream: Http2Stream): void;
  sendReset(stream: Http2Stream, code: number): void;
  sendWindowUpdate(stream: Http2Stream, bytes: number): void;
  /** Bytes that nobody holds any more. */
  consumed(bytes: number): void;
  /** Both sides have ended it, or one for both. */
  over(stream: Http2Stream): void;
}

/** One stream (RFC 9113, section 5): states, windows, and what waits in either direction. */
export class Http2Stream {
  readonly id: number;
  readonly #carrier: StreamCarrier;
  readonly #windowSize: number;
  readonly out = new SendQueue();
  /** Bytes that the peer lets us send. */
  sendWindow: number;
  /** `performance.now()` when something of it last passed. */
  activeAt: number;
  /** It stands in the sender's list. */
  sending = false;
  /** Of the head that came last. */
  neverIndexed: NeverIndexed = null;
  /** END_STREAM went out. */
  localEnded = false;
  /** END_STREAM came in. */
  remoteEnded = false;
  /** The head that begins the message has come: what comes now are trailers. */
  headed = false;
  /** Of a message that has no body whatever its content-length says: an answer to HEAD. */
  bodiless = false;
  #closed = false;
  #handlers: StreamHandlers | null = null;
  #held = false;
  #waiting: Buffer[] = [];
  #trailers: RawHeaders | null = null;
  #endTold = false;
  #touched = false;
  #needsDrain = false;
  #receiveWindow: number;
  #unacknowledged = 0;
  /** Of the body that comes; -1: not said. */
  #expected = -1;
  #received = 0;
  #resetBehind = -1;

  /** `windowSize`: what we announced, bytes; `sendWindow`: what the peer did. */
  constructor(id: number, carrier: StreamCarrier, windowSize: number, sendWindow: number) {
    this.id = id;
    this.#carrier = carrier;
    this.#windowSize = windowSize;
    this.#receiveWindow = windowSize;
    this.sendWindow = sendWindow;
    this.activeAt = carrier.now;
  }

  /** No more is sent or received. */
  get closed(): boolean {
    return this.#closed;
  }

  get needsDrain(): boolean {
    return this.#needsDrain;
  }

  /** Whether its consumer asked it to hold, or has not come yet. */
  get held(): boolean {
    return this.#held || !this.#handlers;
  }

  /** From here on it tells; what had come by now comes first. */
  listen(handlers: StreamHandlers): void {
    this.#handlers = handlers;
    this.#deliver();
  }

  // Received

  /** `length`: -1 where the head said none. */
  expect(length: number): void {
    this.#expected = this.bodiless ? -1 : length;
  }

  takeHead(fields: RawHeaders, endStream: boolean): void {
    this.activeAt = this.#carrier.now;
    this.#touched = true;
    this.#handlers?.onHead(fields, endStream);
  }

  /** Throws StreamFault: the peer sent more than it was let. `length`: of a DATA frame, padding included. */
  countData(length: number): void {
    this.activeAt = this.#carrier.now;
    this.#receiveWindow -= length;
    if (this.#receiveWindow < 0) throw new StreamFault(CODE.FLOW_CONTROL_ERROR, 'more DATA than its window takes');
  }

  /** Throws StreamFault. */
  takeData(bytes: Buffer): void {
    this.#received += bytes.length;
    if (this.#expected >= 0 && this.#received > this.#expected) {
      throw new StreamFault(CODE.PROTOCOL_ERROR, 'a body longer than its content-length');
    }
    if (this.held) this.#waiting.push(bytes);
    else this.#give(bytes);
  }

  /** Throws StreamFault. */
  takeEnd(trailers: RawHeaders): void {
    this.remoteEnded = true;
    if (this.#expected >= 0 && this.#received < this.#expected) {
      throw new StreamFault(CODE.PROTOCOL_ERROR, 'a body shorter than its content-length');
    }
    this.#trailers = trailers;
    this.#deliver();
    this.#settle();
  }

  /**
   * The peer reset it. NO_ERROR behind all of a response is an end: node:http2's server says it in place of END_STREAM where
   * a large body has just gone out, and clients take it so.
   */
  takeReset(code: number): void {
    const whole = this.#expected < 0 || this.#received === this.#expected;
    if (code === CODE.NO_ERROR && this.headed && !this.remoteEnded && whole) this.takeEnd([]);
    if (!this.#trailers || this.#endTold) this.close({ by: 'peer', code, cause: null });
  }

  /** Padding: taken as soon as it is here. */
  consume(bytes: number): void {
    this.#carrier.consumed(bytes);
    if (this.remoteEnded || this.#closed) return;
    this.#unacknowledged += bytes;
    if (this.#unacknowledged * 2 < this.#windowSize) return;
    this.#carrier.sendWindowUpdate(this, this.#unacknowledged);
    this.#receiveWindow += this.#unacknowledged;
    this.#unacknowledged = 0;
  }

  #give(bytes: Buffer): void {
    this.#touched = true;
    this.#held = this.#handlers?.onData(bytes) === false;
    this.consume(bytes.length);
  }

  #deliver(): void {
    while (this.#waiting.length > 0 && !this.held) this.#give(this.#waiting.shift() as Buffer);
    if (!this.#trailers || this.held || this.#endTold) return;
    this.#endTold = true;
    this.#touched = true;
    this.#handlers?.onEnd(this.#trailers);
  }

  readOver(): void {
    if (!this.#touched) return;
    this.#touched = false;
    this.#handlers?.onReadOver();
  }

  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#deliver();
    this.readOver();
  }

  // Sent

  head(fields: RawHeaders, endStream: boolean, neverIndexed: NeverIndexed = null): void {
    if (this.#closed || this.localEnded) return;
    this.#carrier.sendHead(this, fields, endStream, neverIndexed);
    if (endStream) this.sentEnd();
  }

  /** False asks to hold until `drained`. */
  write(bytes: Buffer): boolean {
    if (this.#closed || this.out.ended) return true;
    this.out.add(bytes);
    this.#carrier.wantsToSend(this);
    if (this.out.bytes < HIGH_WATER) return true;
    this.#needsDrain = true;
    return false;
  }

  end(trailers: RawHeaders): void {
    if (this.#closed || this.out.ended) return;
    this.out.ended = true;
    if (trailers.length > 0) this.out.trailers = trailers;
    this.#carrier.wantsToSend(this);
  }

  /** For the sender: END_STREAM went out. */
  sentEnd(): void {
    this.localEnded = true;
    this.out.ended = true;
    if (this.#resetBehind >= 0) this.reset(this.#resetBehind);
    else this.#settle();
  }

  /** For the sender: some of it went out. */
  sent(): void {
    if (!this.#needsDrain || this.out.bytes >= HIGH_WATER / 2) return;
    this.#needsDrain = false;
    this.#handlers?.onDrained();
  }

  /** Resets it, once what was written is out where it has ended: NO_ERROR asks for no more (RFC 9113, section 8.1). */
  reset(code: number): void {
    if (this.#closed) return;
    if (this.out.ended && !this.localEnded && code === CODE.NO_ERROR) {
      this.#resetBehind = code;
      return;
    }
    this.#carrier.sendReset(this, code);
    this.#finish();
  }

  /** For the connection: nothing more comes of it. */
  close(how: StreamClose): void {
    if (this.#closed) return;
    this.#finish();
    this.#handlers?.onClosed(how);
  }

  fault(fault: StreamFault | ConnectionFault): void {
    if (this.#closed) return;
    this.#carrier.sendReset(this, fault.code);
    this.close({ by: 'fault', code: fault.code, cause: fault });
  }

  #settle(): void {
    if (!this.localEnded || !this.remoteEnded || this.#closed) return;
    this.#closed = true;
    this.#carrier.over(this);
  }

  #finish(): void {
    this.#closed = true;
    this.out.drop();
    let waiting = 0;
    for (const bytes of this.#waiting) waiting += bytes.length;
    this.#waiting = [];
    if (waiting > 0) this.#carrier.consumed(waiting);
    this.#carrier.over(this);
  }
}
