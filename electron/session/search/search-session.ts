import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ContentTerm } from '../../../shared/filter/query.ts';
import { compileSearch, type Search } from '../../../shared/filter/search.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { roundtripError } from '../../failures/errors.ts';
import { BatchedBodies } from '../read/batched-bodies.ts';
import { ConnectionCache } from '../read/connection-cache.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { hasContent } from './content-lookup.ts';
import { WantedText } from './text-finder.ts';

/** Rows read at once. */
const PAGE = 250;
/** Milliseconds; a window sees no more frequent updates, except for the first hit. */
const INTERVAL = 100;

export interface SearchProgress {
  /** Ids found since the last report, ascending. */
  found: number[];
  /** Exchanges searched so far, and in total. */
  searched: number;
  total: number;
}

/**
 * Searches all exchanges of a session, oldest first, for those that match a query of shared/filter, which may search
 * headers, bodies and messages. Reads one page at a time and yields the thread in between. The last report has
 * everything. Rejects with `search.bad-filter` or the signal's reason.
 */
export async function searchSession(
  reader: SessionReader,
  query: string,
  onProgress: (progress: SearchProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const compiled = compileSearch(query);
  if (!compiled.ok) throw roundtripError('search.bad-filter', { query, detail: compiled.problem.message });
  const pages = new PageSearch(reader, compiled.search);
  const report: SearchProgress = { found: [], searched: 0, total: reader.info().exchanges };
  const tell = () => {
    onProgress({ ...report, total: Math.max(report.total, report.searched) });
    report.found = [];
  };
  let [after, told] = [0, Number.NEGATIVE_INFINITY];
  let hasFound = false;
  for (let more = true; more; ) {
    const page = reader.page(after, PAGE);
    for await (const { id, found } of pages.search(page.rows)) {
      report.searched += 1;
      if (found) report.found.push(id);
      const isFirst = found && !hasFound;
      hasFound ||= found;
      if (!isFirst && performance.now() - told < INTERVAL) continue;
      tell();
      // Other calls, and the one that stops the search, are answered here.
      await nextTurn();
      signal.throwIfAborted();
      told = performance.now();
    }
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
  }
  tell();
}

class PageSearch {
  readonly #reader: SessionReader;
  readonly #search: Search;
  readonly #connections = new ConnectionCache();
  /** By the values of the query's terms. */
  readonly #wanted = new Map<string, WantedText>();

  constructor(reader: SessionReader, search: Search) {
    this.#reader = reader;
    this.#search = search;
  }

  /** Whether each row matches. Headers and bodies are read only for rows that depend on them. */
  async *search(rows: readonly ExchangeSummary[]): AsyncGenerator<{ id: number; found: boolean }> {
    const undecided = rows.filter((row) => this.#search.decide(row) === null);
    const exchanges = undecided.length === 0 ? [] : this.#reader.exchanges(undecided, this.#connections);
    const bodies = new BatchedBodies(this.#reader, exchanges);
    let next = 0;
    for (const row of rows) {
      const exchange = exchanges[next];
      if (exchange?.id !== row.id) {
        yield { id: row.id, found: this.#search.decide(row) === true };
        continue;
      }
      bodies.moveTo(next);
      next += 1;
      const source = { bodies, reader: this.#reader };
      const lookup = (term: ContentTerm) => hasContent(term, this.#wantedOf(term), exchange, source);
      yield { id: row.id, found: await this.#search.matches(row, lookup) };
    }
  }

  #wantedOf({ value }: ContentTerm): WantedText {
    const known = this.#wanted.get(value) ?? new WantedText(value);
    this.#wanted.set(value, known);
    return known;
  }
}
