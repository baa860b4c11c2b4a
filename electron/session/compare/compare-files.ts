import { setImmediate as nextTurn } from 'node:timers/promises';
import { compareSessions } from '../../../shared/compare/compare-sessions.ts';
import { compileFilter } from '../../../shared/filter/compile.ts';
import type { Predicate } from '../../../shared/filter/query.ts';
import type { Comparison, Ignored } from '../../../shared/model/compare/comparison.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { SessionReader } from '../read/session-reader.ts';

/** Rows read at once, about ten milliseconds. */
const PAGE = 1000;

/**
 * Compares two session files by their rows; bodies are not read. Yields the thread between pages. `limit`: the most
 * entries of each list. Rejects with `compare.bad-filter`.
 */
export async function compareFiles(
  before: SessionReader,
  after: SessionReader,
  ignored: Ignored,
  limit: number,
): Promise<Comparison> {
  const isIgnored = anyOf(ignored.queries);
  const [was, is] = [await rowsOf(before, isIgnored), await rowsOf(after, isIgnored)];
  return compareSessions(was, is, ignored, limit);
}

function anyOf(queries: readonly string[]): Predicate {
  const predicates = queries.map((query) => {
    const filter = compileFilter(query);
    if (!filter.ok) throw roundtripError('compare.bad-filter', { query, detail: filter.problem.message });
    return filter.matches;
  });
  return (row) => predicates.some((matches) => matches(row));
}

/** A connection without a request has nothing to compare. */
async function rowsOf(reader: SessionReader, isIgnored: Predicate): Promise<ExchangeSummary[]> {
  const rows: ExchangeSummary[] = [];
  let after = 0;
  for (let more = true; more; ) {
    const page = reader.page(after, PAGE);
    for (const row of page.rows) if (row.kind !== 'connection' && !isIgnored(row)) rows.push(row);
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
    await nextTurn();
  }
  return rows;
}
