import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { NeverIndexed } from '../http/message.ts';
import { resetConnection } from '../tls/reset-below.ts';
import { turn } from '../turn.ts';
import type { Goaway, PassedLoss } from './connection-loss.ts';
import type { Http2Handlers, Http2Options } from './connection-options.ts';
import { CODE, ConnectionFault } from './error-codes.ts';
import { FrameParser } from './frame-parser.ts';
import { FLAG, FRAME, frameHead, goawayFrame, wordFrame } from './frames.ts';
import { HpackEncoder } from './hpack/encoder.ts';
import { IncomingFrames, type Receiver } from './incoming-frames.ts';
import { OurSettings, PREFACE } from './our-settings.ts';
import { ReceiveWindow } from './receive-window.ts';
import type { BlockedTime } from './sending/blocked-time.ts';
import { DataSender } from './sending/data-sender.ts';
import { FrameOutput } from './sending/frame-output.ts';
import { PeerSettings } from './settings.ts';
import { Http2Stream } from './stream.ts';
import type { StreamHandlers } from './stream-events.ts';
import { StreamTable } from './stream-table.ts';

/** How long a peer whose connection we close has to read our GOAWAY, milliseconds. */
const FAREWELL = 1000;
/**
 * Unread bytes of frames other than DATA allowed for a peer that sends but does not read (CVE-2019-9512,
 * CVE-2019-9517).
 */
const MOST_UNREAD = 16 * 1024 * 1024;
/** Interval of the checks for silence, milliseconds: an eighth of the timeout, within these bounds. */
const LOOKS = { least: 25, most: 15_000 };

/**
 * One HTTP/2 connection, client or server side (RFC 9113). We don't use node:http2 because this path is hot and
 * node:http2 costs twice as much; it also hides or changes details that must be passed on
 * (docs/history/performance-2026-11.md, "HTTP/2").
 */
export class Http2Connection implements Receiver {
  readonly #socket: Duplex;
  readonly #options: Http2Options;
  readonly #handlers: Http2Handlers;
  readonly #parser: FrameParser;
  readonly #incoming: IncomingFrames;
  readonly #encoder = new HpackEncoder();
  readonly #output: FrameOutput;
  readonly #sender: DataSender;
  readonly #streams: StreamTable;
  readonly #window: ReceiveWindow;
  readonly #settings: OurSettings;
  readonly peer = new PeerSettings();
  /** `performance.now()` of the last read or request. */
  now = performance.now();
  #prefaceLeft: Buffer;
  #leaving = false;
  #goneAway = false;
  #dead = false;
  #error: Error | null = null;
  /** Last stream id of our GOAWAY: a later GOAWAY must not raise it (RFC 9113, section 6.8). */
  #lastTaken = Number.POSITIVE_INFINITY;
  /** Streams that end because their other side lost its connection; processed at the end of the turn. */
  #losing: Http2Stream[] = [];
  #idleSince = this.now;
  readonly #watch: NodeJS.Timeout;

  constructor(socket: Duplex, options: Http2Options, handlers: Http2Handlers) {
    this.#socket = socket;
    this.#options = options;
    this.#handlers = handlers;
    this.#settings = new OurSettings(options);
    this.#streams = new StreamTable(options.server);
    this.#sender = new DataSender(this.peer, (stream) => this.sendHead(stream, stream.out.trailers ?? [], true, null));
    this.#output = new FrameOutput(socket, this.#sender, (error) => this.#failed(error), options.server);
    this.#window = new ReceiveWindow(options.connectionWindow, this.#output);
    const parts = { streams: this.#streams, peer: this.peer, sender: this.#sender, output: this.#output };
    this.#incoming = new IncomingFrames(this, options, handlers, { ...parts, window: this.#window });
    this.#parser = new FrameParser(this.#incoming);
    this.#prefaceLeft = options.server ? PREFACE : Buffer.alloc(0);
    const often = Math.min(options.idleTime, options.streamSilence) / 8;
    this.#watch = setInterval(
      () => this.#guarded(() => this.#look()),
      Math.max(LOOKS.least, Math.min(often, LOOKS.most)),
    );
    this.#watch.unref();
  }

  /** Sends the preface and SETTINGS, and starts reading. */
  start(): void {
    const socket = this.#socket;
    socket.on('data', this.#onData);
    socket.on('end', () => {
      // Unsent requests are retried on another connection.
      this.#output.discard();
      this.#lost();
    });
    socket.on('error', (error: Error) => {
      this.#error ??= error;
    });
    socket.on('close', () => this.#lost());
    this.#output.hold();
    const { whenReady } = this.#options;
    if (whenReady) whenReady(() => this.#sayFirst());
    else this.#sayFirst();
    socket.resume();
  }

  /** Our SETTINGS must precede all other frames (RFC 9113, section 3.4). */
  #sayFirst(): void {
    if (this.#dead) return;
    const first = this.#settings.first();
    if (first) this.#output.release(first);
  }

  /** Number of open streams. */
  get streams(): number {
    return this.#streams.size;
  }

  /** The consumers of the open streams. */
  get consumers(): StreamHandlers[] {
    return this.#streams.all().flatMap(({ handlers }) => handlers ?? []);
  }

  /** Number of writes to the socket. */
  get writes(): number {
    return this.#output.writes;
  }

  /** The code of the peer's GOAWAY; null before one arrives. */
  get goaway(): number | null {
    return this.#incoming.leftWith < 0 ? null : this.#incoming.leftWith;
  }

  /** When streams had data and a closed window. */
  get blocked(): BlockedTime {
    return this.#sender.blocked;
  }

  /** Whether new streams can be opened or accepted. */
  get usable(): boolean {
    return !this.#leaving && !this.#goneAway && !this.#dead && this.#streams.hasIds;
  }

  /** Opens a stream as a client. `handlers` receive its events. */
  request(fields: RawHeaders, endStream: boolean, handlers: StreamHandlers, neverIndexed: NeverIndexed): Http2Stream {
    this.now = performance.now();
    const { streamWindow } = this.#options;
    const stream = new Http2Stream(this.#streams.nextId(), this, streamWindow, this.peer.initialWindowSize);
    stream.bodiless = fields[fields.indexOf(':method') + 1] === 'HEAD';
    this.#streams.add(stream);
    stream.listen(handlers);
    stream.head(fields, endStream, neverIndexed);
    return stream;
  }

  /** Announces support for extended CONNECT (RFC 8441, section 3). */
  takeProtocol(): void {
    this.#sayLater(this.#settings.takeProtocol());
  }

  get takesProtocol(): boolean {
    return this.#settings.takesProtocol;
  }

  /** Allows the peer `streams` concurrent requests, up to our own limit. */
  allowStreams(streams: number): void {
    this.#sayLater(this.#settings.allowStreams(streams));
  }

  #sayLater(frame: Buffer | null): void {
    if (frame && !this.#dead) this.#output.push(frame);
  }

  get leaving(): boolean {
    return this.#leaving;
  }

  settled(): void {
    this.#encoder.maxTableSize = this.peer.headerTableSize;
    this.#handlers.settings(this.peer);
  }

  goneAway(): void {
    this.#goneAway = true;
    this.#endIfDone();
  }

  /** Closes gracefully: open streams finish, new ones are not accepted. */
  close(): void {
    this.leave({ code: CODE.NO_ERROR, text: '' });
  }

  /** Queues this GOAWAY after pending writes. Open streams finish; new ones are not accepted. */
  leave({ code, text }: Goaway): void {
    if (this.#leaving || this.#dead) return;
    this.#leaving = true;
    this.#output.flushAll();
    this.#sendGoaway(code, text);
    this.#endIfDone();
  }

  destroy(): void {
    this.#lost();
    this.#socket.destroy();
  }

  #endIfDone(): void {
    if (this.#streams.size > 0 || !(this.#leaving || this.#goneAway) || this.#dead) return;
    this.#output.flush();
    this.#lost();
    hangUp(this.#socket, this.#options.streamSilence);
  }

  // Receiving

  readonly #onData = (chunk: Buffer): void => {
    if (this.#dead) return;
    turn.reads(this.#options.server ? null : this.#socket, chunk.length, this.#streams.size > 1);
    this.now = performance.now();
    try {
      this.#parser.feed(this.#prefaceLeft.length > 0 ? this.#behindPreface(chunk) : chunk);
      if (this.#output.unread > MOST_UNREAD) {
        throw new ConnectionFault(CODE.ENHANCE_YOUR_CALM, 'too many replies that the peer has not read');
      }
    } catch (error) {
      this.#failed(error);
    }
    // Also covers data that arrived before a fault.
    this.#incoming.readOver();
  };

  #behindPreface(chunk: Buffer): Buffer {
    const expected = this.#prefaceLeft.subarray(0, chunk.length);
    if (!chunk.subarray(0, expected.length).equals(expected)) {
      throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'no connection preface');
    }
    this.#prefaceLeft = this.#prefaceLeft.subarray(expected.length);
    return chunk.subarray(expected.length);
  }

  // Sending

  sendHead(stream: Http2Stream, fields: RawHeaders, endStream: boolean, neverIndexed: NeverIndexed): void {
    const block = this.#encoder.encode(fields, neverIndexed);
    const most = this.peer.maxFrameSize;
    const ends = endStream ? FLAG.endStream : 0;
    for (let at = 0, first = true; first || at < block.length; at += most, first = false) {
      const part = block.length <= most ? block : block.subarray(at, at + most);
      const flags = (first ? ends : 0) | (at + most >= block.length ? FLAG.endHeaders : 0);
      this.#output.push(frameHead(part.length, first ? FRAME.headers : FRAME.continuation, flags, stream.id));
      this.#output.push(part);
    }
    this.#output.pushedFor(stream.stamps);
  }

  wantsToSend(stream: Http2Stream): void {
    this.#sender.add(stream);
    this.#output.schedule();
  }

  sendReset(stream: Http2Stream, code: number): void {
    if (this.#dead) return;
    if (!stream.remoteEnded) this.#streams.rememberReset(stream.id);
    this.#sender.sendBeforeReset(stream, this.#output);
    this.#output.push(wordFrame(FRAME.reset, stream.id, code));
  }

  sendWindowUpdate(stream: Http2Stream, bytes: number): void {
    this.#output.push(wordFrame(FRAME.windowUpdate, stream.id, bytes));
  }

  lost(stream: Http2Stream, how: PassedLoss): void {
    this.#losing.push(stream);
    // Other streams lost for the same reason are reported in the same turn.
    if (this.#losing.length === 1) setImmediate(() => this.#guarded(() => this.#passLoss(how)));
  }

  consumed(bytes: number): void {
    if (!this.#dead) this.#window.consumed(bytes);
  }

  internalError(error: unknown): void {
    this.#failed(error);
  }

  over(stream: Http2Stream): void {
    if (stream.blockedSince >= 0) this.#sender.unblock(stream, performance.now());
    this.#streams.end(stream.id);
    if (this.#streams.size === 0) this.#idleSince = this.now;
    this.#handlers.streamOver(stream);
    if (this.#leaving || this.#goneAway) queueMicrotask(() => this.#guarded(() => this.#endIfDone()));
  }

  // Closing

  #sendGoaway(code: number, text: string): void {
    this.#sayFirst();
    this.#lastTaken = Math.min(this.#lastTaken, this.#streams.lastOfPeer);
    this.#output.push(goawayFrame(this.#lastTaken, code, text));
  }

  /** The peer violated the protocol, or an internal error occurred. Only this connection ends. */
  #failed(error: unknown): void {
    if (this.#dead) return;
    const fault = asFault(error);
    this.#error = fault;
    this.#sendGoaway(fault.code, fault.message);
    this.#lost();
    this.#output.flush();
    hangUp(this.#socket, FAREWELL);
  }

  /**
   * Ends the streams whose other side was lost. Clients handle a closed connection and a reset stream differently:
   * curl, gRPC and undici report different errors. If other streams are still active, keeping them matters more, and
   * only the lost streams are reset, after the GOAWAY if a rule wants one.
   */
  #passLoss({ goaway, tcpReset, isWanted }: PassedLoss): void {
    const losing = this.#losing.filter((stream) => !stream.closed);
    this.#losing = [];
    if (this.#dead || losing.length === 0) return;
    if (losing.length < this.#streams.size) {
      const wanted = isWanted ? goaway : null;
      if (wanted) this.leave(wanted);
      for (const stream of losing) stream.reset(wanted?.code || CODE.INTERNAL_ERROR);
      return;
    }
    this.#output.flushAll();
    if (goaway && !this.#leaving) this.#sendGoaway(goaway.code, goaway.text);
    this.#lost();
    this.#output.flush();
    if (tcpReset && this.#socket instanceof Socket) resetConnection(this.#socket);
    else hangUp(this.#socket, FAREWELL);
  }

  #lost(): void {
    if (this.#dead) return;
    this.#dead = true;
    clearInterval(this.#watch);
    this.#parser.stop();
    const error = this.#error;
    const fault = error instanceof ConnectionFault;
    for (const stream of this.#streams.all()) {
      try {
        stream.close({ by: fault ? 'fault' : 'loss', code: fault ? error.code : CODE.CANCEL, cause: error });
      } catch (thrown) {
        // Still notify the other streams.
        this.#error = asFault(thrown);
      }
    }
    this.#handlers.closed(this.#error);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failed(error);
    }
  }

  #look(): void {
    const now = performance.now();
    if (this.#streams.size === 0) {
      if (now - Math.max(this.#idleSince, this.now) >= this.#options.idleTime) this.close();
      return;
    }
    for (const stream of this.#streams.all()) {
      if (now - stream.activeAt >= this.#options.streamSilence) stream.silent();
    }
  }
}

/** Ends our side after pending writes. The peer has `patience` milliseconds to close its side. */
function hangUp(socket: Duplex, patience: number): void {
  if (socket.destroyed) return;
  socket.end();
  // Reads and drops input: closing a socket with unread bytes resets it, and our last frames would be lost.
  socket.resume();
  const end = setTimeout(() => socket.destroy(), patience).unref();
  socket.once('close', () => clearTimeout(end));
}

/** Treats any error that is not the peer's fault as INTERNAL_ERROR. */
function asFault(error: unknown): ConnectionFault {
  if (error instanceof ConnectionFault) return error;
  return new ConnectionFault(CODE.INTERNAL_ERROR, error instanceof Error ? error.message : String(error));
}
