import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { NeverIndexed } from '../http/message.ts';
import type { PassedLoss } from './connection-loss.ts';
import { CODE, ConnectionFault, StreamFault } from './error-codes.ts';
import { PieceQueue } from './piece-queue.ts';
import { RESET_END } from './reset-end.ts';
import { SendQueue } from './send-queue.ts';

/** Bytes that wait to be sent from which a stream asks its source to hold. */
const HIGH_WATER = 128 * 1024;

/** How a stream ended before both sides had said END_STREAM. */
export interface StreamClose {
  /** The peer reset it, or took it not (GOAWAY); it broke the protocol, or we broke down; the connection ended. */
  by: 'peer' | 'fault' | 'loss';
  /** The code of RST_STREAM, the peer's or ours: INTERNAL_ERROR where `cause` is an error of our own. */
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
  /** Nothing has passed on it for as long as its connection was told. */
  onSilence(): void;
  onClosed(how: StreamClose): void;
}

/** The connection, as its streams see it. */
export interface StreamCarrier {
  /** `performance.now()` of the last read or write. */
  readonly now: number;
  /** The last write left, by `performance.now()`; -1: none did. */
  readonly wroteAt: number;
  sendHead(stream: Http2Stream, fields: RawHeaders, endStream: boolean, neverIndexed: NeverIndexed): void;
  /** The stream has bytes, or its end, to send. */
  wantsToSend(stream: Http2Stream): void;
  sendReset(stream: Http2Stream, code: number): void;
  sendWindowUpdate(stream: Http2Stream, bytes: number): void;
  /** What the stream was fed from has lost its connection. */
  lost(stream: Http2Stream, how: PassedLoss): void;
  /** Bytes that nobody holds any more. */
  consumed(bytes: number): void;
  /** A stream's consumer threw where it could be told of nothing any more. */
  internalError(error: unknown): void;
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
  /** Informational heads that have come before it. */
  informed = 0;
  /** Of a message that has no body whatever its content-length says: an answer to HEAD. */
  bodiless = false;
  #closed = false;
  /** What waited is dropped, and nothing is told any more. */
  #dropped = false;
  #handlers: StreamHandlers | null = null;
  #held = false;
  #waiting: PieceQueue | null = null;
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
  /** How it closed, where that is still to be told: behind what a consumer holds, or to one that has yet to come. */
  #untold: StreamClose | null = null;

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

  /** The last write of its connection left, by `performance.now()`; -1: none did. */
  get wroteAt(): number {
    return this.#carrier.wroteAt;
  }

  /** Its consumer; null before there is one. */
  get handlers(): StreamHandlers | null {
    return this.#handlers;
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
    const untold = this.#untold;
    if (!this.#dropped) {
      this.#handlers = handlers;
      this.#deliver();
    } else if (untold) {
      this.#untold = null;
      handlers.onClosed(untold);
    }
  }

  // Received

  /** `length`: -1 where the head said none. What has no body may say one all the same (RFC 9113, section 8.1.1). */
  expect(length: number): void {
    this.#expected = this.bodiless ? 0 : length;
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
      this.#carrier.consumed(bytes.length);
      const what = this.bodiless ? 'a body where there can be none' : 'a body longer than its content-length';
      throw new StreamFault(CODE.PROTOCOL_ERROR, what);
    }
    if (!this.held) {
      this.#give(bytes);
      return;
    }
    this.#waiting ??= new PieceQueue();
    this.#waiting.keep(bytes);
  }

  /** Throws StreamFault. */
  takeEnd(trailers: RawHeaders): void {
    if (this.#closed) return;
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
    if (code === CODE.NO_ERROR && this.headed && !this.remoteEnded && whole) this.takeEnd(RESET_END);
    const how: StreamClose = { by: 'peer', code, cause: null };
    if (!this.#trailers || this.#endTold) {
      this.close(how);
    } else if (!this.#closed) {
      // All of it is here, and its consumer holds: that it may send no more is told behind the end.
      this.#untold = how;
      this.out.drop();
      this.#leave();
    }
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
    try {
      this.#held = this.#handlers?.onData(bytes) === false;
    } finally {
      this.consume(bytes.length);
    }
  }

  #deliver(): void {
    while (this.#waiting && this.#waiting.bytes > 0 && !this.held)
      this.#give(this.#waiting.take(Number.POSITIVE_INFINITY));
    if (!this.#trailers || this.held || this.#endTold || this.#dropped) return;
    this.#endTold = true;
    this.#touched = true;
    this.#handlers?.onEnd(this.#trailers);
    const untold = this.#untold;
    this.#untold = null;
    if (!untold) return;
    this.#touched = false;
    this.#handlers?.onClosed(untold);
  }

  readOver(): void {
    if (!this.#touched) return;
    this.#touched = false;
    this.#handlers?.onReadOver();
  }

  resume(): void {
    if (!this.#held) return;
    this.#held = false;
    // While it was held it was not its peer's turn.
    this.activeAt = performance.now();
    try {
      this.#deliver();
      this.readOver();
    } catch (error) {
      this.fault(error);
    }
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

  /** Ends it with RST_STREAM and NO_ERROR in place of END_STREAM. */
  endByReset(): void {
    if (this.#closed || this.out.ended) return;
    this.out.ended = true;
    this.out.endsByReset = true;
    this.#carrier.wantsToSend(this);
  }

  /** For the sender: all that comes before that reset went out. */
  sentAll(): void {
    this.localEnded = true;
    this.reset(CODE.NO_ERROR);
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
    if (!this.#needsDrain || this.#closed || this.out.bytes >= HIGH_WATER / 2) return;
    this.#needsDrain = false;
    try {
      this.#handlers?.onDrained();
    } catch (error) {
      this.fault(error);
    }
  }

  /**
   * Resets it, once what was written is out where it has ended: NO_ERROR asks for no more (RFC 9113, section 8.1). Nothing is
   * told of it any more, and what its consumer held is dropped, also where both sides have ended it.
   */
  reset(code: number): void {
    if (this.#closed) {
      this.#drop();
      return;
    }
    if (this.out.ended && !this.localEnded && code === CODE.NO_ERROR) {
      this.#resetBehind = code;
      return;
    }
    this.#carrier.sendReset(this, code);
    this.#drop();
    this.#leave();
  }

  /** Ends it as a lost connection ends its streams: with the connection, where no other stream goes on. Nothing is told of it any more. */
  lose(how: PassedLoss): void {
    if (this.#closed) this.#drop();
    else this.#carrier.lost(this, how);
  }

  /** For the connection: nothing more comes of it. */
  close(how: StreamClose): void {
    if (!this.#closed) this.#finish(how);
  }

  /** For the connection: nothing has passed on it for long. */
  silent(): void {
    this.#handlers?.onSilence();
  }

  /** The peer broke the protocol on it, or its consumer threw: it ends, and nothing beside it. */
  fault(error: unknown): void {
    const known = error instanceof StreamFault || error instanceof ConnectionFault;
    if (this.#dropped) {
      if (!known) this.#carrier.internalError(error);
      return;
    }
    const code = known ? error.code : CODE.INTERNAL_ERROR;
    if (!this.#closed) this.#carrier.sendReset(this, code);
    this.#finish({ by: 'fault', code, cause: error instanceof Error ? error : new Error(String(error)) });
  }

  #settle(): void {
    if (this.localEnded && this.remoteEnded) this.#leave();
  }

  #leave(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#carrier.over(this);
  }

  #finish(how: StreamClose): void {
    this.#drop();
    this.#leave();
    if (this.#handlers) this.#handlers.onClosed(how);
    else this.#untold = how;
  }

  #drop(): void {
    this.#dropped = true;
    this.#touched = false;
    this.#untold = null;
    this.out.drop();
    const waiting = this.#waiting?.bytes ?? 0;
    this.#waiting = null;
    // The peer may send as much again: to the connection they are gone.
    if (waiting > 0) this.#carrier.consumed(waiting);
  }
}
