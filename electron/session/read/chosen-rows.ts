import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileFilter } from '../../../shared/filter/compile.ts';
import type { Predicate } from '../../../shared/filter/query.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { SessionReader } from './session-reader.ts';

/** Rows read at once: their objects die before the next ones come. */
const PAGE = 250;
/** Rows that SQLite counts at once: some ten milliseconds of the thread's time. */
const COUNTED_AT_ONCE = 5000;

export interface Choice {
  /** Of shared/filter; empty: everything. */
  query: string;
  /** Milliseconds since the Unix epoch, both included, or null. */
  window: { from: number; to: number } | null;
}

/** What a choice comes to, known before its first row is used. */
export interface Counted {
  count: number;
  /** Connections that brought no request: not among the rows, nor in `count`. */
  without: number;
  /** The first one's start, milliseconds since the Unix epoch; infinite where there is none. */
  startedAt: number;
  /** The highest id that there was. */
  lastId: number;
}

const NOTHING_COUNTED: Counted = { count: 0, without: 0, startedAt: Number.POSITIVE_INFINITY, lastId: 0 };

/** Rows of a session by a filter, page by page: in memory at once is one page, whatever the session's size. */
export class ChosenRows {
  readonly #reader: SessionReader;
  readonly #matches: Predicate;
  readonly #isAll: boolean;

  /** Throws an `Error` with the filter's problem. */
  constructor(reader: SessionReader, { query, window }: Choice) {
    const filter = compileFilter(query);
    if (!filter.ok) throw new Error(filter.problem.message);
    this.#reader = reader;
    this.#isAll = filter.isAll && window === null;
    this.#matches = (row) =>
      (window === null || (row.startedAt >= window.from && row.startedAt <= window.to)) && filter.matches(row);
  }

  /** Lets others have the thread between two pages. Rejects with the signal's reason. */
  async count(signal: AbortSignal): Promise<Counted> {
    return this.#isAll ? await this.#countAll(signal) : await this.#countMatches(signal);
  }

  /** Where all are chosen, SQLite counts: to make an object of each row took a twentieth of an export. */
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

  /** Those that have a request, up to `lastId`. A page may be empty. */
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
