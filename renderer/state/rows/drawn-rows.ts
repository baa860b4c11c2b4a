import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { RowStore } from './row-store.ts';

/** More than any window shows at once. */
const MOST = 500;

/**
 * Summaries of the rows that are drawn: a row that did not change is the same object, and is not drawn again. When
 * there are too many, all are dropped; the next drawing creates those that it needs.
 */
export class DrawnRows {
  readonly #rows: RowStore;
  readonly #kept = new Map<number, ExchangeSummary>();

  constructor(rows: RowStore) {
    this.#rows = rows;
  }

  get(id: number): ExchangeSummary | undefined {
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept;
    const summary = this.#rows.summary(id);
    if (summary === undefined) return undefined;
    if (this.#kept.size >= MOST) this.#kept.clear();
    this.#kept.set(id, summary);
    return summary;
  }

  /** The row has changed. */
  delete(id: number): void {
    this.#kept.delete(id);
  }

  clear(): void {
    this.#kept.clear();
  }
}
