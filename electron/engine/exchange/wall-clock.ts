/** A difference to the system's clock that is noise: `Date.now` counts whole milliseconds. Milliseconds. */
const NOISE = 1;
/** A difference from which on the clock was set, or the machine slept: it is taken over at once. Milliseconds. */
const STEP = 20;
/** Smaller differences are taken over by so much of the time that passed: moments one after the other keep their order. */
const SLEW = 0.1;
/** Two readings of the monotonic clock further apart mean that the thread did not run in between. Milliseconds. */
const INTERRUPTED = 0.2;

export interface Clocks {
  /** Milliseconds since the Unix epoch, as the system has it now. */
  wall(): number;
  /** Milliseconds that never go back, as `performance.now` counts them. */
  monotonic(): number;
  /** The wall clock's time at the monotonic clock's zero, as far as is known at first. */
  origin: number;
}

/**
 * Turns moments of the monotonic clock into the time of day. `performance.timeOrigin` is read once, when the thread starts:
 * after the machine slept (Linux stops the monotonic clock meanwhile) or its clock was set, every later time would be wrong.
 * This clock follows the system's.
 */
export class WallClock {
  readonly #clocks: Clocks;
  #origin: number;
  #readAt: number;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#origin = clocks.origin;
    this.#readAt = clocks.monotonic();
  }

  /** `moment` by the monotonic clock, as milliseconds since the Unix epoch, with microseconds as decimals. */
  at(moment: number): number {
    this.#follow();
    return Math.round((this.#origin + moment) * 1000) / 1000;
  }

  #follow(): void {
    const before = this.#clocks.monotonic();
    const wall = this.#clocks.wall() + 0.5;
    const now = this.#clocks.monotonic();
    if (now - before > INTERRUPTED) return;
    const off = wall - (this.#origin + now);
    if (Math.abs(off) >= STEP) this.#origin += off;
    else if (Math.abs(off) > NOISE) {
      const most = (now - this.#readAt) * SLEW;
      this.#origin += Math.min(Math.max(off, -most), most);
    }
    this.#readAt = now;
  }
}

const clock = new WallClock({
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  origin: performance.timeOrigin,
});

/** A moment by `performance.now()` as milliseconds since the Unix epoch. */
export function epochOf(moment: number): number {
  return clock.at(moment);
}
