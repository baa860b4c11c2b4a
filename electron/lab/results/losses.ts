import type { RequestCounts } from '../replay/request-log.ts';

/** The share of a load's requests, and at least so many, that may end early by chance: pages cancel some. */
const SHARE = 0.02;
const LEAST = 2;

/** Tells loads whose connections broke from those of a page that cancels requests itself, which does so each time. */
export class Losses {
  #usual = Number.POSITIVE_INFINITY;
  #loads = 0;

  /** Loads that were lossy. */
  get loads(): number {
    return this.#loads;
  }

  /** Whether a load lost more responses than others. Counts it. */
  isLossy({ cut, requests }: Pick<RequestCounts, 'cut' | 'requests'>): boolean {
    this.#usual = Math.min(this.#usual, cut);
    const isLossy = cut > this.#usual + Math.max(LEAST, requests * SHARE);
    if (isLossy) this.#loads += 1;
    return isLossy;
  }
}
