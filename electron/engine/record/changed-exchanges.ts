import type { Exchange } from '../../../shared/model/exchange.ts';

/** Entries from which on those of exchanges that have ended are thrown out. */
const MANY = 256;

/**
 * Exchanges that changed and go on. Most end before anybody asks, so one that ends is not looked for here: a list, and
 * not a Set (`LiveList` says why).
 */
export class ChangedExchanges {
  #entries: Exchange[] = [];
  #tidyAt = MANY;

  /** Rows that wait, at most: some exchanges may have ended, or stand here twice. */
  get size(): number {
    return this.#entries.length;
  }

  add(exchange: Exchange): void {
    this.#entries.push(exchange);
    if (this.#entries.length < this.#tidyAt) return;
    this.#entries = this.#open();
    this.#tidyAt = Math.max(MANY, this.#entries.length * 2);
  }

  /** Takes out `count` at most, each once. */
  take(count: number): Exchange[] {
    const open = this.#open();
    this.#entries = open.splice(count);
    return open;
  }

  clear(): void {
    this.#entries = [];
  }

  #open(): Exchange[] {
    return [...new Set(this.#entries)].filter((exchange) => exchange.state === 'open');
  }
}
