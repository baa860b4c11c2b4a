import { pathTemplate } from '../format/path-template.ts';
import type { ExchangeSummary } from '../model/exchange-summary.ts';

export interface Matched {
  pairs: [before: ExchangeSummary, after: ExchangeSummary][];
  /** Rows without a counterpart. */
  gone: ExchangeSummary[];
  added: ExchangeSummary[];
}

type KeyOf = (row: ExchangeSummary) => string;

/** From the narrowest to the widest. The same site may be recorded on two hosts: staging and production. */
const KEYS: readonly KeyOf[] = [
  (row) => `${row.method} ${row.authority}${row.path}`,
  (row) => `${row.method} ${row.authority}${pathTemplate(row.path)}`,
  (row) => `${row.method} ${pathTemplate(row.path)}`,
];

/**
 * Pairs each exchange with its counterpart: the one with the same method, path template and ordinal. Where several are
 * possible, those of the same path and host come first. Rows and results are in order of arrival.
 */
export function matchRows(before: readonly ExchangeSummary[], after: readonly ExchangeSummary[]): Matched {
  const pairs: Matched['pairs'] = [];
  let [gone, added] = [before, after];
  for (const keyOf of KEYS) {
    const found = pairUp(gone, added, keyOf);
    for (const pair of found.pairs) pairs.push(pair);
    ({ gone, added } = found);
  }
  pairs.sort(([a], [b]) => a.id - b.id);
  return { pairs, gone: [...gone], added: [...added] };
}

/** Pairs the first with a key with the first that has it on the other side, the second with the second, and so on. */
function pairUp(before: readonly ExchangeSummary[], after: readonly ExchangeSummary[], keyOf: KeyOf): Matched {
  const waiting = new Map<string, { rows: ExchangeSummary[]; next: number }>();
  for (const row of after) {
    const key = keyOf(row);
    const group = waiting.get(key);
    if (group) group.rows.push(row);
    else waiting.set(key, { rows: [row], next: 0 });
  }
  const matched: Matched = { pairs: [], gone: [], added: [] };
  const taken = new Set<ExchangeSummary>();
  for (const row of before) {
    const group = waiting.get(keyOf(row));
    const other = group?.rows[group.next];
    if (group && other) {
      group.next += 1;
      taken.add(other);
      matched.pairs.push([row, other]);
    } else matched.gone.push(row);
  }
  matched.added = after.filter((row) => !taken.has(row));
  return matched;
}
