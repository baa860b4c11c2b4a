import { Readable } from 'node:stream';

const PIECE = Buffer.alloc(256 * 1024, 'x');
export const GIGABYTE = 1024 ** 3;
/** Bytes that a process may grow by while one passes: far less, with room for what edits and the recorder keep. */
export const MOST_GROWTH = 256 * 1024 * 1024;

/** A body of a gigabyte. */
export function gigabyte(): Readable {
  let left = GIGABYTE / PIECE.length;
  return new Readable({
    highWaterMark: PIECE.length,
    read() {
      this.push(left-- > 0 ? PIECE : null);
    },
  });
}

/** Reads to the end, and counts the bytes. */
export async function sizeOf(stream: AsyncIterable<Buffer>): Promise<number> {
  let size = 0;
  for await (const piece of stream) size += piece.length;
  return size;
}
