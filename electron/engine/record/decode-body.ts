import { Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { describe, systemCode } from '../errors.ts';

/** More codings on one body are an attack, not a message. */
const MOST_CODINGS = 5;

export interface Decoded {
  pieces: Uint8Array[];
  /** Bytes in `pieces`. */
  size: number;
  /** False where `problem` is set, or the decoded body is longer than the limit. */
  complete: boolean;
  /** Why no more could be decoded, one sentence. */
  problem: string | null;
}

/**
 * Undoes `codings` (outermost first, lower case) as far as the bytes go: of a body that was cut short, everything up to the
 * cut comes out. At most `limit` bytes are held a coding, so that a small body cannot unfold into all memory. Never rejects.
 */
export async function decodeBody(
  body: Iterable<Uint8Array>,
  codings: readonly string[],
  limit: number,
): Promise<Decoded> {
  const problem = problemWith(codings);
  if (problem !== null) return { pieces: [], size: 0, complete: false, problem };
  if (codings.length === 0) return collect(body, limit);
  let source = body;
  let decoded: Decoded = { pieces: [], size: 0, complete: true, problem: null };
  for (const coding of codings) {
    const next = await undo(coding, source, limit);
    decoded = { ...next, complete: next.complete && decoded.complete, problem: decoded.problem ?? next.problem };
    source = decoded.pieces;
  }
  return decoded;
}

function problemWith(codings: readonly string[]): string | null {
  if (codings.length > MOST_CODINGS) return `The body names ${codings.length} codings, one around the other.`;
  const unknown = codings.find((coding) => !CODINGS.includes(coding));
  return unknown === undefined ? null : `The coding ${JSON.stringify(unknown)} cannot be undone here.`;
}

// Node 16, in the Electron that the tests use, has no zstd.
const CODINGS: readonly string[] = [
  ...['gzip', 'x-gzip', 'deflate', 'br'],
  ...('createZstdDecompress' in zlib ? ['zstd'] : []),
];

function decoderFor(coding: string, first: Uint8Array): Transform {
  if (coding === 'br') return zlib.createBrotliDecompress();
  if (coding === 'zstd') return zlib.createZstdDecompress();
  if (coding === 'deflate') return isZlib(first) ? zlib.createInflate() : zlib.createInflateRaw();
  return zlib.createGunzip();
}

/** `deflate` means the zlib format (RFC 9110, section 8.4.1.2), but some servers send it bare. RFC 1950, section 2.2. */
function isZlib([method = 0, flags]: Uint8Array): boolean {
  return (method & 0x0f) === 8 && (flags === undefined || ((method << 8) | flags) % 31 === 0);
}

/** Collects what comes in `data` events: they bring everything up to an error, where an iterator would lose the last pieces. */
function undo(coding: string, body: Iterable<Uint8Array>, limit: number): Promise<Decoded> {
  const [first, source] = peek(body);
  if (first === undefined) return Promise.resolve({ pieces: [], size: 0, complete: true, problem: null });
  const decoder = decoderFor(coding, first);
  const decoded: Decoded = { pieces: [], size: 0, complete: true, problem: null };
  return new Promise((resolve) => {
    const input = Readable.from(source, { objectMode: true });
    const stop = () => {
      input.destroy();
      decoder.destroy();
      resolve(decoded);
    };
    decoder.on('data', (piece: Uint8Array) => {
      if (!take(decoded, piece, limit)) stop();
    });
    decoder.on('error', (error) => {
      decoded.complete = false;
      decoded.problem = sentenceOf(error, coding);
      stop();
    });
    decoder.on('end', stop);
    input.pipe(decoder);
  });
}

function sentenceOf(error: unknown, coding: string): string {
  if (systemCode(error) === 'Z_BUF_ERROR') return `The body ends before its ${coding} data does.`;
  return `The body is not valid ${coding} data (${describe(error)}).`;
}

function collect(body: Iterable<Uint8Array>, limit: number): Decoded {
  const collected: Decoded = { pieces: [], size: 0, complete: true, problem: null };
  for (const piece of body) if (!take(collected, piece, limit)) break;
  return collected;
}

/** False once the limit is passed; what is over it is left out. */
function take(into: Decoded, piece: Uint8Array, limit: number): boolean {
  const room = limit - into.size;
  if (piece.length > room) into.complete = false;
  const part = piece.subarray(0, room);
  if (part.length > 0) into.pieces.push(part);
  into.size += part.length;
  return into.complete;
}

function peek(body: Iterable<Uint8Array>): [Uint8Array | undefined, Iterable<Uint8Array>] {
  const pieces = body[Symbol.iterator]();
  const first = pieces.next();
  if (first.done) return [undefined, []];
  return [first.value, withFirst(first.value, pieces)];
}

function* withFirst(first: Uint8Array, rest: Iterator<Uint8Array>): Generator<Uint8Array> {
  yield first;
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
}
