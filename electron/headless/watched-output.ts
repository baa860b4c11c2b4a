import type { Writable } from 'node:stream';
import { describe, systemCode } from '../failures/errors.ts';

/** A reader that went away (`| head`, a closed terminal) has what it wanted, and is no reason to lose a recording. */
const READER_GONE = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** The first failure to write to standard output, such as a full disk behind it; null where there was none. */
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

  /** Resolves when everything written so far is out, or failed. */
  async problem(): Promise<string | null> {
    if (this.#output.writable) await new Promise((resolve) => this.#output.write('', resolve));
    // A stream that just failed says so in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    return this.#problem;
  }
}
