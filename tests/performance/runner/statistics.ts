/** Linear between neighbours, the usual definition (R's type 7). `share` from 0 to 1. NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The share of an interval's misses that is chance. */
const CHANCE = 0.01;

/** How many of `count` tosses, at most, come up heads with no more than `chance`; -1: not even none of them. */
function rareHeads(count: number, chance: number): number {
  let exactly = 0.5 ** count;
  let heads = 0;
  for (let sum = exactly; sum <= chance; sum += exactly) {
    exactly *= (count - heads) / (heads + 1);
    heads += 1;
  }
  return heads - 1;
}

/**
 * The median, and between which two of the values that of all possible rounds lies, at 99 %: the sign test's interval, which holds
 * however rounds vary (Conover, Practical Nonparametric Statistics, 3.2). Null for fewer than 8 values, which allow none.
 */
export function medianInterval(values: readonly number[]): { low: number; median: number; high: number } | null {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = rareHeads(sorted.length, CHANCE / 2);
  const [low, high] = [sorted.at(rank), sorted.at(-1 - rank)];
  return rank < 0 || low === undefined || high === undefined ? null : { low, median: median(sorted), high };
}

/** The interquartile range: half of the rounds lie within it. */
export function spread(values: readonly number[]): number {
  return quantile(values, 0.75) - quantile(values, 0.25);
}
