import { DueQueue } from './due-queue.ts';

/** Linux's delayed acknowledgement, which Nagle's algorithm waits for. Milliseconds. */
const DELAY = 40;

/**
 * The browser's acknowledgements. A single segment that is not full is acknowledged late: with the next segment, with
 * the browser's next bytes, or after 40 ms (RFC 1122, section 4.2.3.2).
 */
export class Acknowledgements {
  readonly #onAcknowledged: (bytes: number) => void;
  readonly #queue = new DueQueue();
  #held = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onAcknowledged: (bytes: number) => void) {
    this.#onAcknowledged = onAcknowledged;
  }

  /** Bytes whose acknowledgement would come back at `at` (of `performance.now()`). `late`: it may be delayed. */
  expect(bytes: number, at: number, late: boolean): void {
    const total = bytes + this.#held;
    const isSecond = this.#held > 0;
    this.#held = 0;
    clearTimeout(this.#timer);
    if (late && !isSecond) {
      this.#held = total;
      this.#timer = setTimeout(() => this.release(), Math.max(at + DELAY - performance.now(), 0));
    } else this.#queue.add(at, () => this.#onAcknowledged(total));
  }

  /** The browser sends bytes, which carry the acknowledgement. */
  release(): void {
    const bytes = this.#held;
    if (bytes === 0) return;
    this.#held = 0;
    clearTimeout(this.#timer);
    this.#onAcknowledged(bytes);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#held = 0;
    this.#queue.close();
  }
}
