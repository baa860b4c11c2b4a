import type { Http2Handlers, Http2Options } from './connection-options.ts';
import { CODE, ConnectionFault, StreamFault } from './error-codes.ts';
import { contentLength, requestFault, responseFault, trailersFault } from './field-rules.ts';
import { FloodWatch } from './flood-watch.ts';
import type { FrameSink } from './frame-parser.ts';
import { FLAG, FRAME, onStream, pingAck, word, wordFrame } from './frames.ts';
import { HeaderAssembly, type HeaderBlock } from './header-assembly.ts';
import { HpackDecoder } from './hpack/decoder.ts';
import { HpackError } from './hpack/hpack-error.ts';
import type { ReceiveWindow } from './receive-window.ts';
import type { DataSender } from './sending/data-sender.ts';
import type { FrameOutput } from './sending/frame-output.ts';
import { LARGEST_WINDOW, type PeerSettings, SETTINGS_ACK } from './settings.ts';
import { Http2Stream, type StreamCarrier } from './stream.ts';
import type { StreamTable } from './stream-table.ts';

/** Default SETTINGS_HEADER_TABLE_SIZE, bytes. */
const HEADER_TABLE = 4096;
/** Maximum informational responses per request: 102 (Processing) may arrive every few seconds, and all are kept. */
const MOST_INFORMED = 1000;

/** The connection as the receiving side sees it. */
export interface Receiver extends StreamCarrier {
  /** Whether we have stopped accepting streams. */
  readonly leaving: boolean;
  /** Whether we have announced support for extended CONNECT. */
  readonly takesProtocol: boolean;
  /** The peer's SETTINGS changed. */
  settled(): void;
  /** The peer stopped opening or accepting streams. */
  goneAway(): void;
}

/** The parts of a connection that both directions share. */
export interface ConnectionParts {
  streams: StreamTable;
  peer: PeerSettings;
  sender: DataSender;
  output: FrameOutput;
  window: ReceiveWindow;
}

/** Validates and processes the peer's frames (RFC 9113, sections 5 and 6). Its methods throw ConnectionFault. */
export class IncomingFrames implements FrameSink {
  readonly #carrier: Receiver;
  readonly #options: Http2Options;
  readonly #handlers: Http2Handlers;
  readonly #server: boolean;
  readonly #streams: StreamTable;
  readonly #peer: PeerSettings;
  readonly #sender: DataSender;
  readonly #output: FrameOutput;
  readonly #window: ReceiveWindow;
  readonly #assembly: HeaderAssembly;
  readonly #decoder = new HpackDecoder(HEADER_TABLE);
  readonly #floods: FloodWatch;
  #touched: Http2Stream[] = [];
  /** The stream of the DATA frame being read; null if its data is discarded. */
  #dataStream: Http2Stream | null = null;
  #dataLength = 0;
  #dataIsEmpty = false;
  /** The code of the last reported GOAWAY; -1 if none. */
  leftWith = -1;

  constructor(carrier: Receiver, options: Http2Options, handlers: Http2Handlers, parts: ConnectionParts) {
    this.#carrier = carrier;
    this.#options = options;
    this.#handlers = handlers;
    this.#server = options.server;
    this.#streams = parts.streams;
    this.#peer = parts.peer;
    this.#sender = parts.sender;
    this.#output = parts.output;
    this.#window = parts.window;
    this.#assembly = new HeaderAssembly(options.headBytes);
    this.#floods = new FloodWatch(options.floods);
  }

  /** Called after each read of the socket. */
  readOver(): void {
    if (this.#touched.length === 0) return;
    const touched = this.#touched;
    this.#touched = [];
    for (const stream of touched) {
      try {
        stream.readOver();
      } catch (error) {
        stream.fault(error);
      }
    }
  }

  frame(type: number, flags: number, id: number, payload: Buffer): void {
    this.#inOrder(type, flags);
    if (type === FRAME.headers) this.#floods.progress();
    else if (type !== FRAME.continuation) this.#floods.beside(payload.length, this.#carrier.now);
    if (type === FRAME.headers) this.#block(this.#assembly.headers(onStream(id), flags, payload));
    else if (type === FRAME.continuation) this.#block(this.#assembly.continuation(id, flags, payload));
    else if (type === FRAME.windowUpdate) this.#windowUpdate(id, word(payload, 4) & 0x7fff_ffff);
    else if (type === FRAME.settings) this.#settings(id, flags, payload);
    else if (type === FRAME.reset) this.#reset(onStream(id), word(payload, 4));
    else if (type === FRAME.ping) this.#ping(id, flags, payload);
    else if (type === FRAME.goaway) this.#goaway(id, payload);
    else if (type === FRAME.priority) this.#priority(onStream(id), payload);
    else if (type === FRAME.pushPromise)
      throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'PUSH_PROMISE although push is disabled');
  }

  #inOrder(type: number, flags: number): void {
    if (this.#assembly.isOpen && type !== FRAME.continuation) {
      throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'a frame inside a header block');
    }
    if (this.#peer.known || (type === FRAME.settings && (flags & FLAG.ack) === 0)) return;
    throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'a first frame other than SETTINGS');
  }

  #block(block: HeaderBlock | null): void {
    if (!block) return;
    const fields = this.#decoded(block.bytes);
    const stream = this.#streams.get(block.stream);
    if (stream) this.#onStream(stream, () => this.#message(stream, block, fields));
    else if (this.#server) this.#open(block, fields);
    else this.#behindEnd(block.stream);
  }

  #decoded(bytes: Buffer): string[] {
    try {
      return this.#decoder.decode(bytes, 0, bytes.length, this.#options.headBytes, this.#options.headFields);
    } catch (error) {
      if (error instanceof HpackError) throw new ConnectionFault(CODE.COMPRESSION_ERROR, error.message);
      throw error;
    }
  }

  /** Handles HEADERS on a stream that is not open and cannot be opened by them. */
  #behindEnd(id: number): void {
    if (this.#streams.isIdle(id))
      throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'HEADERS on a stream that is not open');
    if (this.#streams.wasReset(id)) return;
    if (this.#streams.endedLately(id)) {
      throw new ConnectionFault(CODE.STREAM_CLOSED, 'HEADERS on a stream that has ended');
    }
    throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'HEADERS on a stream that was skipped or ended long ago');
  }

  #open(block: HeaderBlock, fields: string[]): void {
    const id = block.stream;
    if (id % 2 === 0 || !this.#streams.isIdle(id)) {
      this.#behindEnd(id);
      return;
    }
    this.#streams.lastOfPeer = id;
    if (this.#carrier.leaving) {
      this.#streams.rememberReset(id);
      return;
    }
    if (this.#streams.size >= this.#options.streams) {
      this.#refuse(id, CODE.REFUSED_STREAM);
      return;
    }
    const tooLarge = this.#decoder.overflow;
    const fault =
      block.dependsOn === id ? 'a stream that depends on itself' : requestFault(fields, this.#carrier.takesProtocol);
    if (tooLarge || fault !== null) {
      this.#handlers.refused(tooLarge ? null : fault);
      this.#refuse(id, tooLarge ? CODE.ENHANCE_YOUR_CALM : CODE.PROTOCOL_ERROR);
      return;
    }
    const stream = new Http2Stream(id, this.#carrier, this.#options.streamWindow, this.#peer.initialWindowSize);
    this.#streams.add(stream);
    stream.headed = true;
    stream.neverIndexed = this.#decoder.neverIndexed;
    stream.expect(contentLength(fields));
    this.#onStream(stream, () => {
      // Reported before its end: no other handler may run in between.
      this.#handlers.request(stream, fields, block.endStream);
      this.#touch(stream);
      if (block.endStream) stream.takeEnd([]);
    });
  }

  #refuse(id: number, code: number): void {
    this.#floods.reset(this.#carrier.now);
    this.#streams.rememberReset(id);
    this.#output.push(wordFrame(FRAME.reset, id, code));
  }

  /** A response's head, or trailers. */
  #message(stream: Http2Stream, block: HeaderBlock, fields: string[]): void {
    if (stream.remoteEnded) throw new StreamFault(CODE.STREAM_CLOSED, 'HEADERS after END_STREAM');
    if (this.#decoder.overflow) throw new StreamFault(CODE.ENHANCE_YOUR_CALM, 'a header list over the limit');
    if (block.dependsOn === stream.id) throw new StreamFault(CODE.PROTOCOL_ERROR, 'a stream that depends on itself');
    this.#touch(stream);
    if (stream.headed) {
      const fault = trailersFault(fields) ?? (block.endStream ? null : 'trailers without END_STREAM');
      if (fault) throw new StreamFault(CODE.PROTOCOL_ERROR, fault);
      stream.takeEnd(fields);
      return;
    }
    const status = Number(fields[1]);
    const informational = status < 200;
    const fault = responseFault(fields) ?? (informational && block.endStream ? 'a 1xx with END_STREAM' : null);
    if (fault) throw new StreamFault(CODE.PROTOCOL_ERROR, fault);
    if (informational && ++stream.informed > MOST_INFORMED) {
      throw new StreamFault(CODE.ENHANCE_YOUR_CALM, `more than ${MOST_INFORMED} informational responses`);
    }
    if (!informational) {
      stream.headed = true;
      if (status === 204 || status === 304) stream.bodiless = true;
      stream.expect(contentLength(fields));
    }
    stream.neverIndexed = this.#decoder.neverIndexed;
    stream.takeHead(fields, block.endStream);
    if (block.endStream) stream.takeEnd([]);
  }

  dataHead(id: number, length: number): void {
    this.#inOrder(FRAME.data, 0);
    onStream(id);
    this.#window.count(length);
    if (length > 0) this.#floods.progress();
    const stream = this.#streams.get(id) ?? null;
    this.#dataStream = null;
    this.#dataLength = length;
    this.#dataIsEmpty = length === 0;
    if (!stream) {
      this.#dataBehindEnd(id);
      return;
    }
    this.#onStream(stream, () => {
      if (stream.remoteEnded) throw new StreamFault(CODE.STREAM_CLOSED, 'DATA after END_STREAM');
      stream.countData(length);
      if (!stream.headed) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'DATA before a head');
      this.#dataStream = stream;
    });
  }

  #dataBehindEnd(id: number): void {
    if (this.#streams.isIdle(id)) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'DATA on a stream that is not open');
    if (this.#streams.wasReset(id)) return;
    this.#refuse(id, CODE.STREAM_CLOSED);
  }

  dataPiece(bytes: Buffer): void {
    this.#dataLength -= bytes.length;
    const stream = this.#dataStream;
    if (!stream || stream.closed) {
      this.#window.consumed(bytes.length);
      return;
    }
    this.#touch(stream);
    this.#onStream(stream, () => stream.takeData(bytes));
  }

  dataEnd(endStream: boolean): void {
    if (this.#dataIsEmpty && !(endStream && this.#dataStream)) this.#floods.beside(0, this.#carrier.now);
    const stream = this.#dataStream;
    const padding = this.#dataLength;
    if (!stream || stream.closed) {
      this.#window.consumed(padding);
      return;
    }
    if (padding > 0) stream.consume(padding);
    if (endStream) this.#onStream(stream, () => stream.takeEnd([]));
  }

  #windowUpdate(id: number, bytes: number): void {
    if (id === 0) {
      this.#sender.grow(bytes);
      this.#output.schedule();
      return;
    }
    const stream = this.#streams.get(id);
    if (!stream) {
      if (this.#streams.isIdle(id))
        throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'WINDOW_UPDATE on a stream that is not open');
      return;
    }
    this.#onStream(stream, () => {
      this.#sender.growStream(stream, bytes);
      if (stream.out.bytes > 0) this.#carrier.wantsToSend(stream);
    });
  }

  #settings(id: number, flags: number, payload: Buffer): void {
    if (id !== 0) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'SETTINGS on a stream');
    if (flags & FLAG.ack) {
      if (payload.length > 0) throw new ConnectionFault(CODE.FRAME_SIZE_ERROR, 'a SETTINGS ACK with a payload');
      return;
    }
    this.#floods.reply(this.#carrier.now);
    const before = this.#peer.initialWindowSize;
    this.#peer.take(payload);
    const grown = this.#peer.initialWindowSize - before;
    if (grown !== 0) this.#resizeWindows(grown);
    this.#output.push(SETTINGS_ACK);
    this.#carrier.settled();
  }

  /** Windows may become negative (RFC 9113, section 6.9.2). */
  #resizeWindows(by: number): void {
    for (const stream of this.#streams.all()) {
      stream.sendWindow += by;
      if (stream.sendWindow > LARGEST_WINDOW)
        throw new ConnectionFault(CODE.FLOW_CONTROL_ERROR, 'a window that overflows');
      if (stream.out.bytes > 0) this.#carrier.wantsToSend(stream);
    }
  }

  #reset(id: number, code: number): void {
    const stream = this.#streams.get(id);
    if (!stream) {
      if (this.#streams.isIdle(id))
        throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'RST_STREAM on a stream that is not open');
      return;
    }
    if (this.#server) this.#floods.reset(this.#carrier.now);
    this.#onStream(stream, () => {
      if (this.#server) stream.close({ by: 'peer', code, cause: null });
      else stream.takeReset(code);
    });
  }

  #ping(id: number, flags: number, payload: Buffer): void {
    if (id !== 0) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'PING on a stream');
    if (payload.length !== 8) throw new ConnectionFault(CODE.FRAME_SIZE_ERROR, 'a PING whose payload is not 8 bytes');
    if (flags & FLAG.ack) return;
    this.#floods.reply(this.#carrier.now);
    this.#output.push(pingAck(payload));
  }

  #goaway(id: number, payload: Buffer): void {
    if (id !== 0) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'GOAWAY on a stream');
    if (payload.length < 8) throw new ConnectionFault(CODE.FRAME_SIZE_ERROR, 'a GOAWAY that is too short');
    const last = payload.readUInt32BE(0) & 0x7fff_ffff;
    const code = payload.readUInt32BE(4);
    const isNews = code !== this.leftWith && this.leftWith <= 0;
    if (isNews) this.leftWith = code;
    // First: a handler notified of a stream's end must not open another stream here.
    this.#carrier.goneAway();
    if (!this.#server) {
      for (const stream of this.#streams.all()) {
        if (stream.id <= last) continue;
        this.#onStream(stream, () => stream.close({ by: 'peer', code: CODE.REFUSED_STREAM, cause: null }));
      }
    }
    // Reports the first GOAWAY, and an error after NO_ERROR. Open streams continue.
    if (isNews) this.#handlers.goaway(code, payload.toString('latin1', 8, 200));
  }

  /** Priority itself is deprecated, but the frame must be well-formed (RFC 9113, section 5.3.2). */
  #priority(id: number, payload: Buffer): void {
    const faulty =
      payload.length !== 5
        ? CODE.FRAME_SIZE_ERROR
        : (word(payload, 5) & 0x7fff_ffff) === id
          ? CODE.PROTOCOL_ERROR
          : null;
    if (faulty === null) return;
    const stream = this.#streams.get(id);
    if (stream) stream.fault(new StreamFault(faulty, 'a malformed PRIORITY'));
    // An idle stream cannot be reset.
    else if (this.#streams.isIdle(id)) throw new ConnectionFault(faulty, 'a malformed PRIORITY');
    // Also resets a stream that has ended, because the peer can't know whether its PRIORITY arrived before the end.
    else if (!this.#streams.wasReset(id)) this.#refuse(id, faulty);
  }

  #onStream(stream: Http2Stream, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof ConnectionFault) throw error;
      stream.fault(error);
      if (this.#server && error instanceof StreamFault) this.#floods.reset(this.#carrier.now);
    }
  }

  #touch(stream: Http2Stream): void {
    if (this.#touched.at(-1) !== stream) this.#touched.push(stream);
  }
}
