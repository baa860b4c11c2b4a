import { describe, expect, it } from 'vitest';
import { medianInterval, savedInterval } from '../../../../../electron/lab/results/median-interval.ts';
import { savingSentence } from '../../../../../electron/lab/results/saving.ts';
import { intervalWords } from '../../../../../shared/model/lab/lab-result.ts';

describe('intervals of medians', () => {
  it('lies within the numbers, around the median', () => {
    const { median: center, low, high } = medianInterval([10, 11, 12, 13, 14, 15, 90]);
    expect(center).toBe(13);
    expect(low).toBeGreaterThanOrEqual(10);
    expect(low).toBeLessThan(center);
    expect(high).toBeGreaterThan(center);
    expect(high).toBeLessThanOrEqual(90);
  });

  it('is the same each time', () => {
    expect(medianInterval([1, 5, 9, 2])).toEqual(medianInterval([1, 5, 9, 2]));
  });

  it('contains 0 for two sides that do not differ', () => {
    const { low, high } = savedInterval([100, 104, 98, 101, 99], [101, 99, 103, 98, 100]);
    expect(low).toBeLessThanOrEqual(0);
    expect(high).toBeGreaterThanOrEqual(0);
  });
});

describe('the sentence about a variant', () => {
  it('gives the saving with its interval', () => {
    const sentence = savingSentence('http2', { median: 310.2, low: 280, high: 345 }, 100, 7);
    expect(sentence).toBe('HTTP/2 would save 310 ms (280 to 345) at 100 ms');
  });

  it('gives a cost in positive numbers', () => {
    const sentence = savingSentence('nagle', { median: -52, low: -60, high: -41 }, 20, 7);
    expect(sentence).toBe("HTTP/1.1 with Nagle's algorithm would cost 52 ms (41 to 60) at 20 ms");
  });

  it('claims nothing if the interval contains 0 or there are too few runs', () => {
    expect(savingSentence('bundle', { median: 3, low: -9, high: 12 }, 0, 7)).toContain('no measurable difference');
    expect(savingSentence('bundle', { median: 3, low: 2, high: 4 }, 0, 1)).toContain('5 runs are needed');
    expect(savingSentence('bundle', { median: -302, low: -310, high: -290 }, 50, 3)).toContain('302 ms lost at 50 ms');
  });
});

it('gives a cell an interval only with enough runs', () => {
  const time = { median: 150, low: 137.4, high: 169.6 };
  expect(intervalWords({ time, times: [1, 2, 3, 4, 5] })).toBe('137 to 170');
  expect(intervalWords({ time, times: [1, 2, 3, 4] })).toBe('-');
});
