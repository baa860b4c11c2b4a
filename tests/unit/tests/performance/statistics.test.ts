import { expect, test } from 'vitest';
import { median, medianInterval, quantile, spread } from '../../../performance/runner/statistics.ts';

const upTo = (count: number) => Array.from({ length: count }, (_none, at) => at + 1);

test('quantiles lie between neighbours', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
  expect(quantile([10, 20], 0.25)).toBe(12.5);
  expect(spread(upTo(5))).toBe(2);
  expect(median([])).toBeNaN();
});

test('the interval of a median is that of the tables for the sign test at 99 %', () => {
  // Ranks from the bottom and the top, as in Conover, table A3 with p = 1/2 and half of 1 % at each end.
  const ranks = [8, 11, 12, 15, 21, 25].map((count) => [count, medianInterval(upTo(count))?.low]);
  expect(ranks).toEqual([
    [8, 1],
    [11, 1],
    [12, 2],
    [15, 3],
    [21, 5],
    [25, 6],
  ]);
  expect(medianInterval([...upTo(15)].reverse())).toEqual({ low: 3, median: 8, high: 13 });
});

test('fewer than eight values have no such interval', () => {
  expect(medianInterval(upTo(7))).toBeNull();
  expect(medianInterval([])).toBeNull();
});
