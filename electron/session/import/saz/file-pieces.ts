import { Readable } from 'node:stream';

/** Bytes. */
const PIECE = 64 * 1024;

/** Fewer bytes at the end of the file. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>;

/**
 * A stream of a part of a file. Streams of Node close the file when they are destroyed, whatever `autoClose` says.
 */
export function filePieces(readAt: ReadAt, start: number, end = Number.POSITIVE_INFINITY): Readable {
  return Readable.from(pieces(readAt, start, end), { objectMode: false });
}

async function* pieces(readAt: ReadAt, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const piece = await readAt(at, Math.min(PIECE, end - at));
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}
