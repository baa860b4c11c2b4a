import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { NeverIndexed } from '../http/message.ts';
import type { PassedLoss } from './connection-loss.ts';
import { CODE, ConnectionFault, StreamFault } from './error-codes.ts';
import { PieceQueue } from './piece-queue.ts';
import { FrameStamps } from './sending/frame-stamps.ts';
import { SendQueue } from './sending/send-queue.ts';
import { RESET_END, type StreamClose, type StreamHandlers } from './stream-events.ts';

/** Queued bytes at which a stream asks its source to pause. */
const HIGH_WATER = 128 * 1024;

/** The connection as its streams see it. */
export interface StreamCarrier {
  /** `performance.now()` of the last read or write. */
  readonly now: number;
  sendHead(stream: Http2Stream, fields: RawHeaders, endStream: boolean, neverIndexed: NeverIndexed): void;
  /** The stream has data, or its end, to send. */
  wantsToSend(stream: Http2Stream): void;
  sendReset(stream: Http2Stream, code: number): void;
  sendWindowUpdate(stream: Http2Stream, bytes: number): void;
  /** The stream's other side lost its connection. */
  lost(stream: Http2Stream, how: PassedLoss): void;
  /** Bytes were processed and no longer count towards the window. */
  consumed(bytes: number): void;
  /** A stream's consumer threw after the stream had stopped reporting. */
  internalError(error: unknown): void;
  /** Both sides ended the stream, or it was reset. */
  over(stream: Http2Stream): void;
}

/** One stream (RFC 9113, section 5): its states, windows and data queued in both directions. */
export class Http2Stream {
  readonly id: number;
  readonly #carrier: StreamCarrier;
  readonly #windowSize: number;
  readonly out = new SendQueue();
  /** Bytes that we may send. */
  sendWindow: number;
  /** `performance.now()` of the stream's last traffic. */
  activeAt: number;
  /** When its frames left. */
  readonly stamps = new FrameStamps();
  /** The time since which it has had data and a closed window; -1 while it has not. */
  blockedSince = -1;
  /** Whether it is in the sender's list. */
  sending = false;
  /** Names of the last head's never-indexed fields. */
  neverIndexed: NeverIndexed = null;
  /** END_STREAM was sent. */
  localEnded = false;
  /** END_STREAM was received. */
  remoteEnded = false;
  /** The message's final head has arrived; a further head is trailers. */
  headed = false;
  /** Number of informational heads received. */
  informed = 0;
  /** The message has no body regardless of its content-length: the response to HEAD. */
  bodiless = false;
  #closed = false;
  /** Queued data was dropped, and nothing more is reported. */
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
  /** Announced length of the incoming body; -1 if unknown. */
  #expected = -1;
  #received = 0;
  #resetBehind = -1;
  /** How it closed, still unreported: the consumer has paused, or is not attached yet. */
  #untold: StreamClose | null = null;

  /** `windowSize`: the window we announced, `sendWindow`: the peer's; bytes. */
  constructor(id: number, carrier: StreamCarrier, windowSize: number, sendWindow: number) {
    this.id = id;
    this.#carrier = carrier;
    this.#windowSize = windowSize;
    this.#receiveWindow = windowSize;
    this.sendWindow = sendWindow;
    this.activeAt = carrier.now;
  }

  /** Nothing more is sent or received. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Its consumer; null until `listen`. */
  get handlers(): StreamHandlers | null {
    return this.#handlers;
  }

  get needsDrain(): boolean {
    return this.#needsDrain;
  }

  /** Whether delivery is paused, or there is no consumer yet. */
  get held(): boolean {
    return this.#held || !this.#handlers;
  }

  /** Attaches the consumer and delivers what has arrived so far. */
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

  // Receiving

  /** `length`: -1 if the head has none. A message without a body may have one too (RFC 9113, section 8.1.1). */
  expect(length: number): void {
    this.#expected = this.bodiless ? 0 : length;
  }

  takeHead(fields: RawHeaders, endStream: boolean): void {
    this.activeAt = this.#carrier.now;
    this.#touched = true;
    this.#handlers?.onHead(fields, endStream);
  }

  /** Throws StreamFault if the peer exceeded its window. `length`: of a DATA frame, with padding. */
  countData(length: number): void {
    this.activeAt = this.#carrier.now;
    this.#receiveWindow -= length;
    if (this.#receiveWindow < 0) throw new StreamFault(CODE.FLOW_CONTROL_ERROR, 'more DATA than its window allows');
  }

  /** Throws StreamFault. */
  takeData(bytes: Buffer): void {
    this.#received += bytes.length;
    if (this.#expected >= 0 && this.#received > this.#expected) {
      this.#carrier.consumed(bytes.length);
      const what = this.bodiless ? 'a body where none is allowed' : 'a body longer than its content-length';
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
   * The peer reset the stream. NO_ERROR after a complete response is an end: node:http2's server sends it instead of
   * END_STREAM right after a large body, and clients accept it.
   */
  takeReset(code: number): void {
    const whole = this.#expected < 0 || this.#received === this.#expected;
    if (code === CODE.NO_ERROR && this.headed && !this.remoteEnded && whole) this.takeEnd(RESET_END);
    const how: StreamClose = { by: 'peer', code, cause: null };
    if (!this.#trailers || this.#endTold) {
      this.close(how);
    } else if (!this.#closed) {
      // The body is complete, but the consumer has paused: the reset is reported after the end.
      this.#untold = how;
      this.out.drop();
      this.#leave();
    }
  }

  /** Marks bytes as processed. Padding is passed here as soon as it arrives. */
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
    // The time spent paused does not count as the peer's silence.
    this.activeAt = performance.now();
    try {
      this.#deliver();
      this.readOver();
    } catch (error) {
      this.fault(error);
    }
  }

  // Sending

  head(fields: RawHeaders, endStream: boolean, neverIndexed: NeverIndexed = null): void {
    if (this.#closed || this.localEnded) return;
    this.#carrier.sendHead(this, fields, endStream, neverIndexed);
    if (endStream) this.sentEnd();
  }

  /** Returns false to pause until `onDrained`. */
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

  /** Ends the stream with RST_STREAM instead of END_STREAM, once the peer's windows took what was written before. */
  endByReset(code: number): void {
    if (this.#closed || this.out.ended) return;
    this.out.ended = true;
    this.out.endsByReset = code;
    this.#carrier.wantsToSend(this);
  }

  /** For the sender: everything before that reset was sent. */
  sentAll(code: number): void {
    this.localEnded = true;
    this.reset(code);
  }

  /** For the sender: END_STREAM was sent. */
  sentEnd(): void {
    this.localEnded = true;
    this.stamps.ends = true;
    this.out.ended = true;
    if (this.#resetBehind >= 0) this.reset(this.#resetBehind);
    else this.#settle();
  }

  /** For the sender: some data was sent. */
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
   * Resets the stream; with NO_ERROR, which stops the request body (RFC 9113, section 8.1), only after a message that
   * has ended is sent in full. Reports nothing more and drops data held for the consumer, even if both sides have ended
   * the stream.
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

  /** The other side lost its connection: closes this one too, if no other stream is active. Reports nothing more. */
  lose(how: PassedLoss): void {
    if (this.#closed) this.#drop();
    else this.#carrier.lost(this, how);
  }

  /** For the connection: nothing more arrives. */
  close(how: StreamClose): void {
    if (!this.#closed) this.#finish(how);
  }

  /** For the connection: there has been no traffic for the configured time. */
  silent(): void {
    this.#handlers?.onSilence();
  }

  /** Ends only this stream after a protocol violation or an error thrown by its consumer. */
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
    // Frees the connection's window: the dropped bytes no longer count.
    if (waiting > 0) this.#carrier.consumed(waiting);
  }
}
