/** Milliseconds. Messages are delayed by less; a larger change means that a clock was set or a machine slept. */
const STEP = 1000;

/**
 * An estimate of the host's clock. Host and window may be different machines, and the age of an open exchange counts by
 * the host's clock. Each message with a timestamp arrives a little late; the one with the least delay is the best
 * estimate.
 */
export class HostClock {
  readonly #wall: () => number;
  /**
   * Our clock minus the host's, milliseconds, including the delay of the message that told it; null: no message yet.
   */
  #behind: number | null = null;

  /** `wall`: this machine's clock; tests bring another one. */
  constructor(wall: () => number = () => Date.now()) {
    this.#wall = wall;
  }

  /** Takes a timestamp that the host just sent, milliseconds since the Unix epoch. */
  heard(at: number): void {
    const late = this.#wall() - at;
    if (this.#behind === null || late < this.#behind || late > this.#behind + STEP) this.#behind = late;
  }

  /** Milliseconds since the Unix epoch; our own clock until the first `heard`. */
  now(): number {
    return this.#wall() - (this.#behind ?? 0);
  }
}
