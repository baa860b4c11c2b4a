/** Indexes of the shared counts. */
const ENDED = 0;
const SETTLED = 1;
const LOST = 2;

/**
 * Counts the exchanges of one engine run: ended, written to the session file, and lost. The counts are in shared
 * memory, because the host reads them after the engine thread died with rows in its memory.
 */
export class Tally {
  /** Another thread creates its `Tally` from this. */
  readonly shared: SharedArrayBuffer;
  readonly #counts: Int32Array;

  constructor(shared = new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#counts = new Int32Array(shared);
  }

  /** An exchange ended and now waits to be written. */
  ended(): void {
    Atomics.add(this.#counts, ENDED, 1);
  }

  /** Their rows are in the session file, or the user cleared the session. */
  settled(exchanges: number): void {
    Atomics.add(this.#counts, SETTLED, exchanges);
  }

  /** Their rows will never be in the session file. */
  dropped(exchanges: number): void {
    Atomics.add(this.#counts, LOST, exchanges);
    Atomics.add(this.#counts, SETTLED, exchanges);
  }

  /** Their rows were in the session file, and another program damaged it. */
  damaged(exchanges: number): void {
    Atomics.add(this.#counts, LOST, exchanges);
  }

  /** Exchanges in memory only. */
  get waiting(): number {
    return Atomics.load(this.#counts, ENDED) - Atomics.load(this.#counts, SETTLED);
  }

  get lost(): number {
    return Atomics.load(this.#counts, LOST);
  }
}
