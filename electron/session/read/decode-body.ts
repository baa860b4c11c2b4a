import { Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { describe, systemCode } from '../../failures/errors.ts';

/** More codings on one body are an attack, not a message. */
const MOST_CODINGS = 5;

/** What came of decoding, known once the last piece is out. */
export interface Outcome {
  /** False where `problem` is set, or the decoded body is longer than the limit. */
  complete: boolean;
  /** Why no more could be decoded, one sentence. */
  problem: string | null;
}

export interface Decoded extends Outcome {
  pieces: Uint8Array[];
  /** Bytes in `pieces`. */
  size: number;
}

/**
 * Undoes `codings` (outermost first, lower case) as far as the bytes go: of a body that was cut short, everything up to the
 * cut comes out. At most `limit` bytes come out of each coding, so that a small body cannot unfold into all memory. Rejects
 * only with what reading the body throws.
 */
export async function decodeBody(
  body: Iterable<Uint8Array>,
  codings: readonly string[],
  limit: number,
): Promise<Decoded> {
  if (codings.length === 0) return uncoded(body, limit);
  const outcome: Outcome = { complete: true, problem: null };
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of decodedPieces(body, codings, outcome, limit)) {
    pieces.push(piece);
    size += piece.length;
  }
  return { ...outcome, pieces, size };
}

/** As `decodeBody` without codings: most bodies have none, and asynchronous iterators cost more than reading them. */
function uncoded(body: Iterable<Uint8Array>, limit: number): Decoded {
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

/** The same piece by piece, a few hundred KiB in memory at once whatever the body. `outcome` is filled in on the way. */
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
  let source: Pieces = capped(body, outcome, codings.length === 0 ? limit : Number.POSITIVE_INFINITY);
  for (const coding of codings) source = capped(undo(coding, source, outcome), outcome, limit);
  yield* source;
}

type Pieces = AsyncIterable<Uint8Array>;

/** What is over the limit is left out. */
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
  if (codings.length > MOST_CODINGS) return `The body names ${codings.length} codings, one around the other.`;
  const unknown = codings.find((coding) => !CODINGS.includes(coding));
  return unknown === undefined ? null : `The coding ${JSON.stringify(unknown)} cannot be undone here.`;
}

const CODINGS: readonly string[] = ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'];

function decoderFor(coding: string, first: Uint8Array): Transform {
  if (coding === 'br') return zlib.createBrotliDecompress(DECODING);
  if (coding === 'zstd') return zlib.createZstdDecompress(DECODING);
  if (coding === 'deflate') return isZlib(first) ? zlib.createInflate(DECODING) : zlib.createInflateRaw(DECODING);
  return zlib.createGunzip(DECODING);
}

/** `deflate` means the zlib format (RFC 9110, section 8.4.1.2), but some servers send it bare. RFC 1950, section 2.2. */
function isZlib([method = 0, flags]: Uint8Array): boolean {
  return (method & 0x0f) === 8 && (flags === undefined || ((method << 8) | flags) % 31 === 0);
}

/**
 * With a mark of one byte a decoder takes no more input while anything that it gave is unread. An error, which discards
 * what a stream holds, then never takes decoded bytes with it.
 */
const DECODING = { readableHighWaterMark: 1, chunkSize: 64 * 1024 };

async function* undo(coding: string, body: Pieces, outcome: Outcome): AsyncGenerator<Uint8Array> {
  const [first, source] = await peek(body);
  if (first === undefined) return;
  const decoder = decoderFor(coding, first);
  const input = Readable.from(source, { objectMode: true });
  const fed = feed(input, decoder);
  // Awaited below, which may be after it rejects.
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

/** Resolves when the input ended or is no longer wanted. Rejects with what reading the body throws. */
function feed(input: Readable, decoder: Transform): Promise<void> {
  return new Promise((resolve, reject) => {
    input.once('error', (error) => {
      // Ends the reading; the reason is the input's, and not that the data stopped.
      decoder.destroy();
      reject(error);
    });
    input.once('close', resolve);
    decoder.once('close', resolve);
    input.pipe(decoder);
  });
}

/** Pieces from `data` events: they bring everything up to an error, where an iterator would lose the last ones. */
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
