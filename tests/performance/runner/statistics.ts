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

/** How often an interval may miss. */
const CHANCE = 0.01;

/**
 * The largest sum of the ranks 1 to `count` whose signs are positive that comes with no more than `chance`, when signs
 * are tossed; -1: even 0 comes more often.
 */
function rareRankSum(count: number, chance: number): number {
  // How many choices of ranks have each sum.
  let choices = [1];
  for (let rank = 1; rank <= count; rank += 1) {
    const before = choices;
    choices = Array.from(
      { length: before.length + rank },
      (_none, sum) => (before[sum] ?? 0) + (before[sum - rank] ?? 0),
    );
  }
  let sum = 0;
  for (let so = choices[0] ?? 0; so <= chance * 2 ** count && sum < choices.length; so += choices[sum] ?? 0) sum += 1;
  return sum - 1;
}

/**
 * The middle of ratios, and between which two the true one lies at 99 %: the interval of the signed-rank test over
 * their logarithms (Hodges and Lehmann 1963; Conover, Practical Nonparametric Statistics, 5.7). It supposes that a
 * ratio is as often off by a factor as by its inverse, as it is for two that take turns. Null for fewer than 8 ratios,
 * which allow none.
 */
export function ratioInterval(ratios: readonly number[]): { low: number; middle: number; high: number } | null {
  const logs = ratios.map(Math.log);
  const pairs = logs.flatMap((one, at) => logs.slice(at).map((other) => (one + other) / 2)).sort((a, b) => a - b);
  const rank = rareRankSum(ratios.length, CHANCE / 2);
  const [low, high] = [pairs.at(rank), pairs.at(-1 - rank)];
  if (rank < 0 || low === undefined || high === undefined) return null;
  return { low: Math.exp(low), middle: Math.exp(median(pairs)), high: Math.exp(high) };
}

/** The interquartile range: half of the rounds lie within it. */
export function spread(values: readonly number[]): number {
  return quantile(values, 0.75) - quantile(values, 0.25);
}
