import { Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { describe, systemCode } from '../../failures/errors.ts';
import { beginningOf, decodedAtOnce, isZlib } from './decode-at-once.ts';

/** A body with more codings than this is an attack. */
const MOST_CODINGS = 5;

/** The result of decoding, complete once the last piece has been read. */
export interface Outcome {
  /** False if `problem` is set or the decoded body is longer than the limit. */
  complete: boolean;
  /** Why decoding stopped, as one sentence. */
  problem: string | null;
}

export interface Decoded extends Outcome {
  pieces: Uint8Array[];
  /** Bytes in `pieces`. */
  size: number;
}

/**
 * Decodes `codings` (outermost first, lower case) as far as possible: a truncated body is decoded up to the cut. Each
 * coding yields at most `limit` bytes, which stops a small body from expanding to fill all memory. Rejects only if
 * reading the body throws.
 */
export async function decodeBody(
  body: Iterable<Uint8Array>,
  codings: readonly string[],
  limit: number,
): Promise<Decoded> {
  if (codings.length === 0) return uncodedBody(body, limit);
  const outcome: Outcome = { complete: true, problem: null };
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of decodedPieces(body, codings, outcome, limit)) {
    pieces.push(piece);
    size += piece.length;
  }
  return { ...outcome, pieces, size };
}

/**
 * The same without codings, at once: most bodies have none, and waiting for one costs more than reading it. Throws only
 * if reading the body throws.
 */
export function uncodedBody(body: Iterable<Uint8Array>, limit: number): Decoded {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (const piece of body) {
    const part = piece.subarray(0, limit - size);
    if (part.length > 0) pieces.push(part);
    size += part.length;
    if (part.length < piece.length) return { complete: false, problem: null, pieces, size };
  }
  return { complete: true, problem: null, pieces, size };
}

/** Like `decodeBody`, in pieces: at most some MiB in memory for a body of any size. Fills in `outcome`. */
export async function* decodedPieces(
  body: Iterable<Uint8Array>,
  codings: readonly string[],
  outcome: Outcome,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  const problem = problemWith(codings);
  if (problem !== null) {
    Object.assign(outcome, { complete: false, problem });
    return;
  }
  const beginning = beginningOf(body);
  if ('whole' in beginning && codings.length > 0) {
    const decoded = decodedAtOnce(beginning.whole, codings, limit);
    if (decoded !== null) {
      if (decoded.length > 0) yield decoded;
      return;
    }
  }
  const pieces = 'whole' in beginning ? [beginning.whole] : beginning.pieces;
  let source: Pieces = capped(pieces, outcome, codings.length === 0 ? limit : Number.POSITIVE_INFINITY);
  for (const coding of codings) source = capped(undo(coding, source, outcome), outcome, limit);
  yield* source;
}

type Pieces = AsyncIterable<Uint8Array>;

/** Drops the bytes beyond the limit. */
async function* capped(
  pieces: Pieces | Iterable<Uint8Array>,
  outcome: Outcome,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let room = limit;
  for await (const piece of pieces) {
    if (piece.length > room) outcome.complete = false;
    const part = piece.subarray(0, room);
    room -= part.length;
    if (part.length > 0) yield part;
    if (part.length < piece.length) return;
  }
}

function problemWith(codings: readonly string[]): string | null {
  if (codings.length > MOST_CODINGS)
    return `The body has ${codings.length} nested codings; at most ${MOST_CODINGS} are supported.`;
  const unknown = codings.find((coding) => !CODINGS.includes(coding));
  return unknown === undefined ? null : `The coding ${JSON.stringify(unknown)} is not supported.`;
}

const CODINGS: readonly string[] = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'];

function decoderFor(coding: string, first: Uint8Array): Transform {
  if (coding === 'br') return zlib.createBrotliDecompress(DECODING);
  if (coding === 'zstd') return zlib.createZstdDecompress(DECODING);
  if (coding === 'deflate') return isZlib(first) ? zlib.createInflate(DECODING) : zlib.createInflateRaw(DECODING);
  return zlib.createGunzip(DECODING);
}

/**
 * With a high-water mark of one byte, a decoder takes no more input while its output is unread. An error discards a
 * stream's buffered output, and this way never loses decoded bytes.
 */
const DECODING = { readableHighWaterMark: 1, chunkSize: 64 * 1024 };

async function* undo(coding: string, body: Pieces, outcome: Outcome): AsyncGenerator<Uint8Array> {
  const [first, source] = await peek(body);
  if (first === undefined) return;
  const decoder = decoderFor(coding, first);
  const input = Readable.from(source, { objectMode: true });
  const fed = feed(input, decoder);
  // Awaited below, possibly after it has rejected.
  fed.catch(() => undefined);
  try {
    yield* given(decoder, (error) => {
      outcome.complete = false;
      outcome.problem ??= sentenceOf(error, coding);
    });
    await fed;
  } finally {
    input.destroy();
    decoder.destroy();
  }
}

/** Resolves when the input has ended or is no longer needed. Rejects with the error of reading the body. */
function feed(input: Readable, decoder: Transform): Promise<void> {
  return new Promise((resolve, reject) => {
    input.once('error', (error) => {
      // Stops the reader. The error to report is the input's, not the early end of the data.
      decoder.destroy();
      reject(error);
    });
    input.once('close', resolve);
    decoder.once('close', resolve);
    input.pipe(decoder);
  });
}

/** Pieces from `data` events, which deliver everything before an error; an iterator would lose the last pieces. */
async function* given(decoder: Transform, onError: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  const arrived: Uint8Array[] = [];
  let over = false;
  let wake = () => {};
  const end = () => {
    over = true;
    wake();
  };
  decoder.on('data', (piece: Uint8Array) => {
    arrived.push(piece);
    decoder.pause();
    wake();
  });
  decoder.once('error', onError);
  decoder.once('end', end);
  decoder.once('close', end);
  for (;;) {
    const piece = arrived.shift();
    if (piece !== undefined) yield piece;
    else if (over) return;
    else {
      const arrival = new Promise<void>((resolve) => {
        wake = resolve;
      });
      decoder.resume();
      await arrival;
    }
  }
}

function sentenceOf(error: unknown, coding: string): string {
  if (systemCode(error) === 'Z_BUF_ERROR') return `The body ends before its ${coding} data does.`;
  return `The body is not valid ${coding} data (${describe(error)}).`;
}

async function peek(body: Pieces): Promise<[Uint8Array | undefined, Pieces]> {
  const pieces = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done) return [undefined, body];
  return [first.value, withFirst(first.value, pieces)];
}

async function* withFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
