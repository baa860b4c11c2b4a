import { CODE, ConnectionFault } from './error-codes.ts';
import { FLAG, FRAME, FRAME_HEAD, FRAME_SIZE } from './frames.ts';

/** Receives parsed frames. Its methods may throw, and may stop the parser. */
export interface FrameSink {
  /** A complete frame of any type except DATA. */
  frame(type: number, flags: number, stream: number, payload: Buffer): void;
  /** A DATA frame starts. `length`: payload length with padding, which flow control counts. */
  dataHead(stream: number, length: number): void;
  /** Part of a DATA payload without padding, delivered before the rest of the frame arrives. */
  dataPiece(bytes: Buffer): void;
  dataEnd(endStream: boolean): void;
}

/** Splits a connection's bytes into frames (RFC 9113, section 4). Throws ConnectionFault. */
export class FrameParser {
  readonly #sink: FrameSink;
  #stopped = false;
  /** An incomplete frame or frame header. */
  #partial: Buffer | null = null;
  #filled = 0;
  #inData = false;
  #awaitsPadLength = false;
  #endStream = false;
  /** Bytes of payload and padding remaining in the current DATA frame. */
  #left = 0;
  #padding = 0;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** Drops all further input. */
  stop(): void {
    this.#stopped = true;
    this.#partial = null;
  }

  feed(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#stopped) {
      if (this.#inData) at = this.#data(chunk, at);
      else if (this.#partial) at = this.#complete(this.#partial, chunk, at);
      else at = this.#begin(chunk, at);
    }
  }

  #begin(chunk: Buffer, at: number): number {
    if (chunk.length - at < FRAME_HEAD) return this.#keep(chunk, at, FRAME_HEAD);
    const length = lengthAt(chunk, at);
    const end = at + FRAME_HEAD + length;
    if (this.#isData(chunk, at, length)) return at + FRAME_HEAD;
    if (end > chunk.length) return this.#keep(chunk, at, FRAME_HEAD + length);
    this.#whole(chunk, at, end);
    return end;
  }

  /** Keeps the rest of the chunk as the start of `size` bytes. */
  #keep(chunk: Buffer, at: number, size: number): number {
    this.#partial = Buffer.allocUnsafe(size);
    this.#filled = chunk.copy(this.#partial, 0, at);
    return chunk.length;
  }

  #complete(partial: Buffer, chunk: Buffer, at: number): number {
    const taken = chunk.copy(partial, this.#filled, at);
    this.#filled += taken;
    if (this.#filled < partial.length) return at + taken;
    this.#partial = null;
    const length = lengthAt(partial, 0);
    if (partial.length > FRAME_HEAD || length === 0) {
      if (!this.#isData(partial, 0, length)) this.#whole(partial, 0, partial.length);
    } else if (!this.#isData(partial, 0, length)) {
      this.#partial = Buffer.allocUnsafe(FRAME_HEAD + length);
      this.#filled = partial.copy(this.#partial);
    }
    return at + taken;
  }

  /** True for a DATA frame, whose payload is streamed. */
  #isData(bytes: Buffer, at: number, length: number): boolean {
    if (length > FRAME_SIZE) {
      throw new ConnectionFault(CODE.FRAME_SIZE_ERROR, `a frame of ${length} bytes, over the ${FRAME_SIZE} allowed`);
    }
    if (bytes[at + 3] !== FRAME.data) return false;
    const flags = bytes[at + 4] as number;
    this.#endStream = (flags & FLAG.endStream) !== 0;
    this.#awaitsPadLength = (flags & FLAG.padded) !== 0;
    if (this.#awaitsPadLength && length === 0)
      throw new ConnectionFault(CODE.FRAME_SIZE_ERROR, 'padding without a length');
    this.#left = length;
    this.#padding = 0;
    this.#inData = true;
    this.#sink.dataHead(bytes.readUInt32BE(at + 5) & 0x7fff_ffff, length);
    if (length === 0 && !this.#stopped) this.#endData();
    return true;
  }

  #whole(bytes: Buffer, at: number, end: number): void {
    const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
    this.#sink.frame(bytes[at + 3] as number, bytes[at + 4] as number, stream, bytes.subarray(at + FRAME_HEAD, end));
  }

  #data(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#awaitsPadLength) {
      this.#awaitsPadLength = false;
      this.#padding = chunk[at] as number;
      this.#left -= 1 + this.#padding;
      if (this.#left < 0) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'padding longer than its frame');
      at += 1;
    }
    const payload = Math.min(this.#left, chunk.length - at);
    if (payload > 0) {
      this.#left -= payload;
      this.#sink.dataPiece(chunk.subarray(at, at + payload));
      at += payload;
    }
    const padding = Math.min(this.#padding, chunk.length - at);
    this.#padding -= padding;
    if (this.#left === 0 && this.#padding === 0 && !this.#stopped) this.#endData();
    return at + padding;
  }

  #endData(): void {
    this.#inData = false;
    this.#sink.dataEnd(this.#endStream);
  }
}

function lengthAt(bytes: Buffer, at: number): number {
  return bytes.readUIntBE(at, 3);
}
