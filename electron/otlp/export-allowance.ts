/** Exchanges per second above which traffic is heavy. Below that, all spans cost 1 % of a core. */
const HEAVY = 1000;
/**
 * The share of all cores' time while traffic is heavy. A low priority of the thread is no substitute: the export then
 * runs whenever the traffic's threads sleep for a moment, and they compete with it when they wake. With all programs on
 * two cores, HTTP/2 had 16 % fewer requests per second.
 */
const SHARE = 0.015;

/** How much CPU time each read of the session file may take. The rest waits in the file. */
export class ExportAllowance {
  readonly #cores: number;
  readonly #interval: number;
  #lastId = 0;
  #at = 0;

  /** `interval`: milliseconds between two reads. */
  constructor(cores: number, interval: number) {
    this.#cores = cores;
    this.#interval = interval;
  }

  /** Milliseconds of CPU time for a read at `now` (milliseconds), when the highest id in the file is `lastId`. */
  next(lastId: number, now = performance.now()): number {
    const perSecond = (lastId - this.#lastId) / Math.max((now - this.#at) / 1000, 0.001);
    this.#lastId = lastId;
    this.#at = now;
    return perSecond > HEAVY ? this.#interval * this.#cores * SHARE : this.#interval;
  }
}
