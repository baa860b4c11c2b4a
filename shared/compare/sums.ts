import type { Sums } from '../model/compare/comparison.ts';
import type { ExchangeSummary } from '../model/exchange-summary.ts';

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
      sum[side].exchanges += 1;
      sum[side].bytes += Math.max(row.responseSize, 0);
      sum[side].ms += Math.max(row.total, 0);
    }
  };
  add('before', before);
  add('after', after);
  const bytes = (sum: Sums[number]) => sum.before.bytes + sum.after.bytes;
  return [...sums.values()].sort((a, b) => bytes(b) - bytes(a) || (a.name < b.name ? -1 : 1));
}
