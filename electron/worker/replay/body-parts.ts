import fs from 'node:fs';
import { describe, RoundtripError, roundtripError } from '../../failures/errors.ts';

/** A file whose content is sent. `path`: absolute; `size`: bytes. */
export interface FileContent {
  path: string;
  size: number;
}

/** A part of a body: bytes, or a file, which may be larger than the memory. */
export type BodyPart = Uint8Array | FileContent;

/** Bytes that are read of a file at once. */
const PIECE = 64 * 1024;

/** Exactly as many bytes as were announced: the head names the length. Throws `replay.file-unreadable`. */
export function* piecesOf(parts: readonly BodyPart[]): Generator<Uint8Array, void> {
  for (const part of parts) {
    if (part instanceof Uint8Array) yield part;
    else yield* piecesOfFile(part);
  }
}

function* piecesOfFile({ path, size }: FileContent): Generator<Uint8Array, void> {
  let file = -1;
  try {
    file = fs.openSync(path, 'r');
    for (let left = size; left > 0; ) {
      const piece = new Uint8Array(Math.min(left, PIECE));
      const read = fs.readSync(file, piece, 0, piece.length, null);
      if (read === 0) throw roundtripError('replay.file-unreadable', { path, detail: 'it became shorter' });
      left -= read;
      yield piece.subarray(0, read);
    }
  } catch (error) {
    throw error instanceof RoundtripError
      ? error
      : roundtripError('replay.file-unreadable', { path, detail: describe(error) });
  } finally {
    if (file >= 0) fs.closeSync(file);
  }
}
