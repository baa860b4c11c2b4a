import type { Sums } from '../model/compare/comparison.ts';
import type { ExchangeSummary } from '../model/exchange-summary.ts';

/** Of what is known; -1 while nothing is. */
function added(sum: number, value: number, isFirst: boolean): number {
  if (value < 0) return isFirst ? -1 : sum;
  return Math.max(sum, 0) + value;
}

/** Adds up the exchanges of two sessions by the name that `nameOf` returns. */
export function sumsBy(
  before: readonly ExchangeSummary[],
  after: readonly ExchangeSummary[],
  nameOf: (row: ExchangeSummary) => string,
): Sums {
  const sums = new Map<string, Sums[number]>();
  const add = (side: 'before' | 'after', rows: readonly ExchangeSummary[]) => {
    for (const row of rows) {
      const name = nameOf(row);
      let sum = sums.get(name);
      if (sum === undefined) {
        sum = { name, before: { exchanges: 0, bytes: 0, ms: 0 }, after: { exchanges: 0, bytes: 0, ms: 0 } };
        sums.set(name, sum);
      }
      const of = sum[side];
      of.bytes = added(of.bytes, row.responseSize, of.exchanges === 0);
      of.ms = added(of.ms, row.total, of.exchanges === 0);
      of.exchanges += 1;
    }
  };
  add('before', before);
  add('after', after);
  const bytes = (sum: Sums[number]) => sum.before.bytes + sum.after.bytes;
  return [...sums.values()].sort((a, b) => bytes(b) - bytes(a) || (a.name < b.name ? -1 : 1));
}
