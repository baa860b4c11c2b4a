/** Exchanges a second from which on traffic is heavy. Below that, all spans cost 1 % of a core. */
const HEAVY = 1000;
/**
 * Of the time of all cores, while traffic is heavy. A lowest priority alone does not spare the traffic: the export then
 * runs wherever the threads of the traffic sleep for a moment, and they compete with it when they wake. With all
 * programs on two cores, HTTP/2 had 16 % fewer requests a second.
 */
const SHARE = 0.015;

/** How much processor time each look at the session file may take. What is left waits in the file. */
export class ExportAllowance {
  readonly #cores: number;
  readonly #interval: number;
  #lastId = 0;
  #at = 0;

  /** `interval`: milliseconds between two looks. */
  constructor(cores: number, interval: number) {
    this.#cores = cores;
    this.#interval = interval;
  }

  /** Milliseconds of processor time for a look at `now` (milliseconds), when the highest id in the file is `lastId`. */
  next(lastId: number, now = performance.now()): number {
    const perSecond = (lastId - this.#lastId) / Math.max((now - this.#at) / 1000, 0.001);
    this.#lastId = lastId;
    this.#at = now;
    return perSecond > HEAVY ? this.#interval * this.#cores * SHARE : this.#interval;
  }
}
