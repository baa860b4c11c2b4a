import { urlOf } from '../format/url.ts';
import type { ComparedRow, Comparison, Ignored } from '../model/compare/comparison.ts';
import type { ExchangeSummary } from '../model/exchange-summary.ts';
import { knownTotal } from '../model/timings.ts';
import { changesBetween } from './changes-between.ts';
import { matchRows } from './match-rows.ts';
import { sumsBy } from './sums.ts';

/**
 * Compares the exchanges of two sessions, each in order of arrival. Each list of the result has at most `limit`
 * entries.
 */
export function compareSessions(
  before: readonly ExchangeSummary[],
  after: readonly ExchangeSummary[],
  { changes: ignored }: Pick<Ignored, 'changes'>,
  limit = Number.POSITIVE_INFINITY,
): Comparison {
  const { pairs, gone, added } = matchRows(before, after);
  const [fromBefore, fromAfter] = [lister(before), lister(after)];
  const leftOut = new Set(ignored);
  const comparison: Comparison = {
    counts: { added: added.length, gone: gone.length, changed: 0, unchanged: 0 },
    added: added.slice(0, limit).map(fromAfter),
    gone: gone.slice(0, limit).map(fromBefore),
    changed: [],
    unchanged: [],
    hosts: sumsBy(before, after, (row) => row.authority),
    types: sumsBy(before, after, (row) => row.mediaType),
  };
  for (const [was, is] of pairs) {
    const changes = changesBetween(was, is, leftOut);
    const kind = changes.length === 0 ? 'unchanged' : 'changed';
    comparison.counts[kind] += 1;
    if (comparison.counts[kind] > limit) continue;
    const pair = { before: fromBefore(was), after: fromAfter(is) };
    if (kind === 'changed') comparison.changed.push({ ...pair, changes });
    else comparison.unchanged.push(pair);
  }
  return comparison;
}

/** Writes rows with their time since the first of `session`. */
function lister(session: readonly ExchangeSummary[]): (row: ExchangeSummary) => ComparedRow {
  const first = session.reduce((earliest, row) => Math.min(earliest, row.startedAt), Number.POSITIVE_INFINITY);
  return (row) => ({
    id: row.id,
    method: row.method,
    url: urlOf(row),
    status: row.status,
    type: row.mediaType,
    protocol: row.protocol,
    size: row.responseSize,
    startedAfter: row.startedAt - first,
    total: knownTotal(row.timings),
  });
}
