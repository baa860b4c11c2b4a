/** The result of a two-sided Mann-Whitney U test, with Cliff's delta as the size of the effect. */
export interface RankTest {
  p: number;
  /** From -1 (all of `now` below all of `base`) to 1. */
  delta: number;
}

/** Larger samples, and those with ties, use the normal approximation. */
const EXACT = 20;

/** Mann and Whitney, 1947: exact for small samples without ties. Both sides must have values. */
export function mannWhitney(base: readonly number[], now: readonly number[]): RankTest {
  let above = 0;
  let ties = 0;
  for (const one of now) {
    for (const other of base) {
      if (one > other) above += 1;
      else if (one === other) ties += 1;
    }
  }
  const pairs = base.length * now.length;
  const u = above + ties / 2;
  const delta = (2 * u) / pairs - 1;
  const all = [...base, ...now];
  const hasTies = new Set(all).size < all.length;
  const isExact = !hasTies && base.length <= EXACT && now.length <= EXACT;
  return { p: isExact ? exact(u, base.length, now.length) : approximate(u, base, now), delta };
}

/** Of all orders of the values, the share that is at least as extreme. */
function exact(u: number, n: number, m: number): number {
  const counts = orders(n, m);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const extreme = Math.min(u, n * m - u);
  const tail = counts.slice(0, extreme + 1).reduce((sum, count) => sum + count, 0);
  return Math.min(1, (2 * tail) / all);
}

/** How many orders of `n` and `m` values give each U: the coefficients of the Gaussian binomial. */
function orders(n: number, m: number): number[] {
  let counts = [1];
  for (let step = 1; step <= m; step++) {
    const grown = new Array<number>(counts.length + n).fill(0);
    // Multiplied by (1 - q^(n + step)), then divided by (1 - q^step).
    for (const [at, count] of counts.entries()) grown[at] = count;
    for (let at = grown.length - 1; at >= n + step; at--) grown[at] = (grown[at] ?? 0) - (counts[at - n - step] ?? 0);
    for (let at = step; at < grown.length; at++) grown[at] = (grown[at] ?? 0) + (grown[at - step] ?? 0);
    counts = grown;
  }
  return counts;
}

/** With corrections for ties and continuity. */
function approximate(u: number, base: readonly number[], now: readonly number[]): number {
  const [n, m] = [base.length, now.length];
  const sizes = new Map<number, number>();
  for (const value of [...base, ...now]) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  const tied = [...sizes.values()].reduce((sum, size) => sum + size ** 3 - size, 0);
  const variance = ((n * m) / 12) * (n + m + 1 - tied / ((n + m) * (n + m - 1)));
  if (variance <= 0) return 1;
  const z = Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / Math.sqrt(variance);
  return Math.min(1, 2 * upperTail(z));
}

/** Of the standard normal distribution, for z >= 0: Abramowitz and Stegun, 26.2.17; the error is below 7.5e-8. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}
