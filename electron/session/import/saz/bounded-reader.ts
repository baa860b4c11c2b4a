import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { filePieces } from './file-pieces.ts';

/**
 * Reads an archive within its bounds. A damaged archive names places far behind its end: Node throws for some of them
 * where nobody can catch it, and yauzl's own reader does not look.
 */
export class BoundedReader extends RandomAccessReader {
  readonly size: number;
  readonly #file: FileHandle;

  /** Rejects with the system's error. */
  static async open(path: string): Promise<BoundedReader> {
    const file = await open(path);
    return new BoundedReader(file, (await file.stat()).size);
  }

  private constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.size = size;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, count?: number) => void,
  ): void {
    const isWithin = position >= 0 && position + length <= this.size;
    const reading = isWithin ? this.#file.read(buffer, offset, length, position) : Promise.reject(new Error(BEYOND));
    reading.then(
      ({ bytesRead }) => callback(null, bytesRead),
      (error: Error) => callback(error),
    );
  }

  /** The caller has compared the range with the size. */
  override _readStreamForRange(start: number, end: number): Readable {
    const readAt = async (position: number, length: number) => {
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    return filePieces(readAt, start, end);
  }

  /** After the last read. yauzl's own counting does not close the file of an archive that it refuses. */
  async release(): Promise<void> {
    await this.#file.close();
  }
}

const BEYOND = 'it points beyond its end';
