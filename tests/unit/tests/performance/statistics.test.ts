import { expect, test } from 'vitest';
import { median, quantile, ratioInterval, spread } from '../../../performance/runner/statistics.ts';

const upTo = (count: number) => Array.from({ length: count }, (_none, at) => at + 1);

test('quantiles lie between neighbours', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
  expect(quantile([10, 20], 0.25)).toBe(12.5);
  expect(spread(upTo(5))).toBe(2);
  expect(median([])).toBeNaN();
});

const powers = (count: number) => upTo(count).map((at) => 2 ** at);

test('the interval of ratios is that of the tables for the signed-rank test at 99 %', () => {
  // Critical values of half of 1 % at one end: Conover, table A12.
  const critical: [count: number, sum: number][] = [
    [8, 0],
    [10, 3],
    [12, 7],
    [15, 15],
    [20, 37],
    [25, 68],
  ];
  for (const [count, sum] of critical) {
    const logs = upTo(count);
    const pairs = logs.flatMap((one, at) => logs.slice(at).map((other) => (one + other) / 2)).sort((a, b) => a - b);
    expect(ratioInterval(powers(count))?.low).toBeCloseTo(2 ** (pairs[sum] ?? 0));
  }
});

test('the middle of ratios is as far from their inverses, in any order', () => {
  const found = ratioInterval(powers(9).reverse());
  const inverse = ratioInterval(powers(9).map((ratio) => 1 / ratio));
  expect(found?.middle).toBeCloseTo(2 ** 5);
  expect([1 / (inverse?.low ?? 0), 1 / (inverse?.high ?? 0)]).toEqual([
    expect.closeTo(found?.high ?? 0),
    expect.closeTo(found?.low ?? 0),
  ]);
});

test('fewer than eight ratios have no such interval', () => {
  expect(ratioInterval(powers(7))).toBeNull();
  expect(ratioInterval([])).toBeNull();
});
