/** Milliseconds in which the weight of arrivals decays to 1/e. */
const MEMORY = 400;
/** More rows than this in one `MEMORY` are traffic; fewer may come from a user's click, and must appear at once. */
const CLICK = 15;
/** A rush ends about 0.4 s after its last row, however many there were. */
const MOST = 45;

/** Detects that rows arrive at a rate that only traffic causes, however small the portions. */
export class Rush {
  readonly #now: () => number;
  #level = 0;
  #at = 0;

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  add(rows: number): void {
    this.#level = Math.min(MOST, this.#left() + rows);
    this.#at = this.#now();
  }

  get on(): boolean {
    return this.#left() > CLICK;
  }

  #left(): number {
    return this.#level * Math.exp((this.#at - this.#now()) / MEMORY);
  }
}
