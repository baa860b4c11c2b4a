/** A timer may fire this much early. Milliseconds. */
const EARLY = 0.25;

interface Due {
  at: number;
  run: () => void;
}

/** Runs actions at their times, in the order in which they were added. Times are of `performance.now()`. */
export class DueQueue {
  readonly #due: Due[] = [];
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  /** `at`: not before that of the action added last. */
  add(at: number, run: () => void): void {
    if (this.#closed) return;
    this.#due.push({ at, run });
    if (this.#timer === null) this.#arm();
  }

  /** Drops what is left. */
  close(): void {
    this.#closed = true;
    this.#due.length = 0;
    if (this.#timer) clearTimeout(this.#timer);
  }

  #arm(): void {
    const [next] = this.#due;
    this.#timer = next ? setTimeout(() => this.#fire(), Math.max(next.at - performance.now(), 0)) : null;
  }

  #fire(): void {
    while (this.#due[0] !== undefined && this.#due[0].at - EARLY <= performance.now()) this.#due.shift()?.run();
    if (!this.#closed) this.#arm();
  }
}
