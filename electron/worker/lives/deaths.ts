/** Counts recent deaths, to distinguish bad luck from a fault that a restart does not fix. */
export class Deaths {
  readonly #most: number;
  readonly #withinMs: number;
  readonly #now: () => number;
  #times: number[] = [];

  /** More than `most` deaths within `withinMs` are too many. `now`: milliseconds of a monotonic clock. */
  constructor(most: number, withinMs: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#withinMs = withinMs;
    this.#now = now;
  }

  /** Records one death; returns true if it is one too many. */
  another(): boolean {
    const now = this.#now();
    this.#times = [...this.#times.filter((time) => now - time < this.#withinMs), now];
    return this.#times.length > this.#most;
  }
}
