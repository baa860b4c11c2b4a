/** A message is late by less than this, milliseconds; by more, a clock was set, or a machine slept. */
const STEP = 1000;

/**
 * The host's time of day, as near as the window can know it: the two may be different machines, and what is open is as old as the host
 * says. Every message of the host's that names its time was sent a little before it comes, so the one that took least says most.
 */
export class HostClock {
  readonly #wall: () => number;
  /** Milliseconds that our clock is before the host's, the way of a message included. */
  #behind: number | null = null;

  constructor(wall: () => number = () => Date.now()) {
    this.#wall = wall;
  }

  /** The host said so just now; milliseconds since the Unix epoch. */
  heard(at: number): void {
    const late = this.#wall() - at;
    if (this.#behind === null || late < this.#behind || late > this.#behind + STEP) this.#behind = late;
  }

  /** Milliseconds since the Unix epoch; our own clock's until the host has said something. */
  now(): number {
    return this.#wall() - (this.#behind ?? 0);
  }
}
