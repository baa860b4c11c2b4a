/** Differences to the system's clock up to this are noise, milliseconds: `Date.now` counts whole milliseconds. */
const NOISE = 1;
/** From this difference on, the clock was set or the machine slept: it is corrected at once. Milliseconds. */
const STEP = 20;
/** Smaller differences are corrected by this fraction of the elapsed time, which keeps timestamps in order. */
const SLEW = 0.1;
/** If two readings of the monotonic clock are further apart than this, the thread was interrupted. Milliseconds. */
const INTERRUPTED = 0.2;

export interface Clocks {
  /** The system's time: milliseconds since the Unix epoch. */
  wall(): number;
  /** Monotonic milliseconds, like `performance.now`. */
  monotonic(): number;
  /** The first estimate of the wall-clock time at the monotonic clock's zero, milliseconds since the Unix epoch. */
  origin: number;
}

/**
 * Converts monotonic timestamps to the time of day. `performance.timeOrigin` is read once, when the thread starts.
 * After the machine slept (Linux stops the monotonic clock meanwhile) or its clock was set, every later time would be
 * wrong. This clock follows the system's.
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

  /** Converts `moment` of the monotonic clock to milliseconds since the Unix epoch, with microseconds as decimals. */
  at(moment: number): number {
    this.#follow();
    return Math.round((this.#origin + moment) * 1000) / 1000;
  }

  #follow(): void {
    const before = this.#clocks.monotonic();
    const wall = this.#clocks.wall() + 0.5;
    const now = this.#clocks.monotonic();
    const apart = now - before;
    const off = wall - (this.#origin + now);
    // A busy machine may interrupt every reading. A step of hours is a step whatever the reading is worth.
    if (Math.abs(off) >= STEP + apart) this.#origin += off;
    else if (apart > INTERRUPTED) return;
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

/** Converts a `performance.now()` timestamp to milliseconds since the Unix epoch. */
export function epochOf(moment: number): number {
  return clock.at(moment);
}
