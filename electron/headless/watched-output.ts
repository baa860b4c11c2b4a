import type { Writable } from 'node:stream';
import { describe, systemCode } from '../failures/errors.ts';

/** A reader that closed early (`| head`, a closed terminal) must not lose a recording. */
const READER_GONE = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** Remembers the first failure to write to standard output, such as a full disk. */
export class WatchedOutput {
  #problem: string | null = null;
  readonly #output: Writable;

  constructor(output: Writable, errors: Writable) {
    this.#output = output;
    output.on('error', (error) => {
      if (!READER_GONE.has(systemCode(error) ?? '')) this.#problem ??= describe(error);
    });
    errors.on('error', () => undefined);
  }

  /** Resolves with the failure, or null, once everything written so far has been flushed or has failed. */
  async problem(): Promise<string | null> {
    if (this.#output.writable) await new Promise((resolve) => this.#output.write('', resolve));
    // A stream that has just failed emits its error in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    return this.#problem;
  }
}
