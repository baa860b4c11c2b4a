import type { RawHeaders } from '../../../shared/model/headers.ts';
import { FramingError, parseFields } from './h1-head.ts';
import { closeUpColon } from './h1-odd-head.ts';
import type { Framing } from './message.ts';
import { view } from './view.ts';

/** Parses one body from a connection's bytes and finds its end. It does not retain the bytes. */
export interface BodyReader {
  readonly done: boolean;
  readonly trailers: RawHeaders;
  /** The payload pieces of the last consumed bytes: views, not copies. */
  readonly payload: readonly Buffer[];
  /** A description of the fault in the chunks or trailers, if there is still only one reading of them. */
  readonly fault: string | null;
  /**
   * Consumes the body's part of `bytes` from `start` on, and returns the offset after the last byte consumed. Throws a
   * FramingError with the offset up to which the body is well framed; `payload` then holds what came before that
   * offset.
   */
  consume(bytes: Buffer, start: number): number;
  /** Whether the end of the connection is a valid end of the body at this point. */
  readonly endsWithConnection: boolean;
}

const NO_TRAILERS: RawHeaders = [];
const NO_PAYLOAD: readonly Buffer[] = [];

class LengthReader implements BodyReader {
  readonly trailers = NO_TRAILERS;
  readonly fault = null;
  readonly endsWithConnection = false;
  payload = NO_PAYLOAD;
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  get done(): boolean {
    return this.#left === 0;
  }

  consume(bytes: Buffer, start: number): number {
    const end = Math.min(bytes.length, start + this.#left);
    this.payload = end > start ? [view(bytes, start, end)] : NO_PAYLOAD;
    this.#left -= end - start;
    return end;
  }
}

class CloseReader implements BodyReader {
  readonly trailers = NO_TRAILERS;
  readonly fault = null;
  readonly endsWithConnection = true;
  readonly done = false;
  payload = NO_PAYLOAD;

  consume(bytes: Buffer, start: number): number {
    this.payload = bytes.length > start ? [view(bytes, start, bytes.length)] : NO_PAYLOAD;
    return bytes.length;
  }
}

type LineState = 'size' | 'data-end' | 'trailers';
type ChunkState = LineState | 'data' | 'done';

// Limits a chunk's size line and the trailer block. Extensions are rare and short, and both must be bounded.
const SIZE_LINE_LIMIT = 4096;
const TRAILERS_LIMIT = 64 * 1024;
// RFC 9112, section 7.1; 13 digits are 2^52, within what a double counts exactly.
const CHUNK_SIZE = /^([0-9A-Fa-f]{1,13})(?:[ \t]*;[^\0\r\n]*)?$/;
const PADDED_SIZE = /^([0-9A-Fa-f]{1,13})[ \t]+$/;
/**
 * Patterns for unfinished lines. Their bytes are forwarded before the line ends: an invalid start is rejected at once.
 */
const UNFINISHED = {
  size: /^(?:[0-9A-Fa-f]{0,13}|[0-9A-Fa-f]{1,13}(?:[ \t]+|[ \t]*;[^\0\r\n]*)?\r?)$/,
  'data-end': /^\r?$/,
  trailers: /^[^\0\r\n]*\r?$/,
} as const;
/**
 * RFC 9110, section 6.5.1: trailers must not carry framing, routing or authentication. A recipient that merges them
 * would be misled, and clients ignore them.
 */
const NO_TRAILER = new Set(['content-length', 'transfer-encoding', 'host', 'trailer', 'proxy-authorization']);

/** RFC 9112, section 7.1. A line may be split across reads at any byte. */
class ChunkedReader implements BodyReader {
  readonly endsWithConnection = false;
  trailers: RawHeaders = NO_TRAILERS;
  payload: Buffer[] = [];
  fault: string | null = null;
  readonly #ofResponse: boolean;
  #state: ChunkState = 'size';
  #left = 0;
  /** The part of the current line that earlier reads contained. */
  #partial = '';
  readonly #fields: string[] = [];
  /** Whether a folded line would continue the last of `#fields`. */
  #mayFold = false;
  #trailersSize = 0;

  constructor(ofResponse: boolean) {
    this.#ofResponse = ofResponse;
  }

  get done(): boolean {
    return this.#state === 'done';
  }

  consume(bytes: Buffer, start: number): number {
    this.payload = [];
    let at = start;
    try {
      while (at < bytes.length && this.#state !== 'done') {
        if (this.#state === 'data') at = this.#data(bytes, at);
        else at = this.#line(bytes, at, this.#state);
      }
    } catch (error) {
      if (error instanceof FramingError) error.wellFramed = at;
      throw error;
    }
    return at;
  }

  #data(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.payload.push(bytes.subarray(at, end));
    this.#left -= end - at;
    if (this.#left === 0) this.#state = 'data-end';
    return end;
  }

  #line(bytes: Buffer, at: number, state: LineState): number {
    const lineFeed = bytes.indexOf(0x0a, at);
    const end = lineFeed < 0 ? bytes.length : lineFeed + 1;
    this.#partial += bytes.toString('latin1', at, end);
    const limit = state === 'trailers' ? TRAILERS_LIMIT - this.#trailersSize : SIZE_LINE_LIMIT;
    if (this.#partial.length > limit) throw new FramingError('a chunk line or the trailers are over their limit');
    if (lineFeed >= 0) this.#lineDone();
    else if (!UNFINISHED[state].test(this.#partial)) throw new FramingError('a line of the chunked body is malformed');
    return end;
  }

  #lineDone(): void {
    if (!this.#partial.endsWith('\r\n')) throw new FramingError('a line of the chunked body ends in a bare LF');
    if (this.#state === 'size') this.#size(this.#partial.slice(0, -2));
    else if (this.#state === 'data-end') this.#dataEnd();
    else this.#trailerLine();
  }

  /** Old servers pad the sizes with spaces, which HTTP/1.1 once allowed everywhere (RFC 2616, section 2.1). */
  #size(line: string): void {
    const padded = this.#ofResponse ? PADDED_SIZE.exec(line) : null;
    if (padded) this.fault = 'white space behind a chunk size';
    const parts = CHUNK_SIZE.exec(padded?.[1] ?? line);
    if (!parts) throw new FramingError(`chunk size ${JSON.stringify(line.slice(0, 40))}`);
    this.#left = Number.parseInt(parts[1] ?? '', 16);
    this.#partial = '';
    this.#state = this.#left === 0 ? 'trailers' : 'data';
  }

  #dataEnd(): void {
    if (this.#partial !== '\r\n') throw new FramingError('a chunk is longer than its size');
    this.#partial = '';
    this.#state = 'size';
  }

  #trailerLine(): void {
    const line = this.#partial;
    this.#partial = '';
    this.#trailersSize += line.length;
    if (line === '\r\n') {
      if (this.#fields.length > 0) this.trailers = this.#fields;
      this.#state = 'done';
      return;
    }
    const last = this.#fields.length - 1;
    if (this.#mayFold && /^[ \t]/.test(line)) {
      this.fault = 'a folded trailer';
      this.#fields[last] = `${this.#fields[last]} ${parseFields(`fold:${line}`, 0)[1]}`;
      return;
    }
    const closed = this.#ofResponse ? closeUpColon(line) : line;
    if (closed !== line) this.fault = "a space before a trailer's colon";
    const [name = '', value = ''] = parseFields(closed, 0);
    const isAllowed = !NO_TRAILER.has(name.toLowerCase());
    if (!isAllowed && !this.#ofResponse) throw new FramingError(`${name} among the trailers`);
    this.#mayFold = isAllowed && this.#ofResponse;
    if (isAllowed) this.#fields.push(name, value);
    else this.fault = `${name} among the trailers`;
  }
}

/** Returns the reader for a framing, or null for no body. `of`: requests are parsed strictly. */
export function bodyReader(framing: Framing, of: 'request' | 'response'): BodyReader | null {
  switch (framing.kind) {
    case 'length':
      return new LengthReader(framing.length);
    case 'chunked':
      return new ChunkedReader(of === 'response');
    case 'close':
      return new CloseReader();
    default:
      return null;
  }
}
