import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileFilter } from '../../../shared/filter/compile.ts';
import type { Predicate } from '../../../shared/filter/query.ts';
import { isInRanges } from '../../../shared/model/edits/id-ranges.ts';
import type { IdRange } from '../../../shared/model/edits/session-edits.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { SessionReader } from './session-reader.ts';

/**
 * Rows read at once. Their objects can be collected before the next page: those of 250 outlived the young generation of
 * a reader's thread, and an export took 1.3 times the processor time and twice the memory.
 */
const PAGE = 32;
/** Rows that SQLite counts at once; this takes the thread about ten milliseconds. */
const COUNTED_AT_ONCE = 5000;

export interface Choice {
  /** A filter (shared/filter); empty selects everything. */
  query: string;
  /** Milliseconds since the Unix epoch, both inclusive; null: no limit. */
  window: { from: number; to: number } | null;
  /** Only exchanges with these ids, ascending and without overlap; null or absent: any. */
  ids?: readonly IdRange[] | null;
}

/** Totals of a selection, known before its first row is read. */
export interface Counted {
  count: number;
  /** Connections without a request, which are neither in the rows nor in `count`. */
  without: number;
  /** Start of the first exchange, milliseconds since the Unix epoch; infinite if there is none. */
  startedAt: number;
  /** The highest id at the time of the count. */
  lastId: number;
}

const NOTHING_COUNTED: Counted = { count: 0, without: 0, startedAt: Number.POSITIVE_INFINITY, lastId: 0 };

/** A session's rows that match a filter, page by page: memory holds one page, regardless of the session's size. */
export class ChosenRows {
  readonly #reader: SessionReader;
  readonly #matches: Predicate;
  readonly #isAll: boolean;

  /** Throws an `Error` that describes the filter's problem. */
  constructor(reader: SessionReader, { query, window, ids = null }: Choice) {
    const filter = compileFilter(query);
    if (!filter.ok) throw new Error(filter.problem.message);
    this.#reader = reader;
    this.#isAll = filter.isAll && window === null && ids === null;
    this.#matches = (row) =>
      (ids === null || isInRanges(ids, row.id)) &&
      (window === null || (row.startedAt >= window.from && row.startedAt <= window.to)) &&
      filter.matches(row);
  }

  /** Yields the thread between pages. Rejects with the signal's reason. */
  async count(signal: AbortSignal): Promise<Counted> {
    return this.#isAll ? await this.#countAll(signal) : await this.#countMatches(signal);
  }

  /** With no filter or window, SQLite counts: making an object of each row took a twentieth of an export's time. */
  async #countAll(signal: AbortSignal): Promise<Counted> {
    const counted = { ...NOTHING_COUNTED };
    for (;;) {
      const totals = this.#reader.totals(counted.lastId, COUNTED_AT_ONCE);
      if (totals === null) return counted;
      counted.lastId = totals.lastId;
      counted.count += totals.rows - totals.connections;
      counted.without += totals.connections;
      counted.startedAt = Math.min(counted.startedAt, totals.startedAt);
      await nextTurn();
      signal.throwIfAborted();
    }
  }

  async #countMatches(signal: AbortSignal): Promise<Counted> {
    const counted = { ...NOTHING_COUNTED };
    for (const page of this.#pages(Number.POSITIVE_INFINITY)) {
      for (const row of page) {
        counted.lastId = row.id;
        if (!this.#matches(row)) continue;
        if (row.kind === 'connection') counted.without += 1;
        else counted.count += 1;
        counted.startedAt = Math.min(counted.startedAt, row.startedAt);
      }
      await nextTurn();
      signal.throwIfAborted();
    }
    return counted;
  }

  /** The rows with a request, up to `lastId`. A page may be empty. */
  *pages(lastId: number): Generator<ExchangeSummary[]> {
    for (const page of this.#pages(lastId))
      yield page.filter((row) => row.id <= lastId && row.kind !== 'connection' && this.#matches(row));
  }

  *#pages(lastId: number): Generator<ExchangeSummary[]> {
    let after = 0;
    for (let more = true; more && after < lastId; ) {
      const page = this.#reader.page(after, PAGE);
      yield page.rows;
      after = page.rows.at(-1)?.id ?? after;
      more = page.more;
    }
  }
}
