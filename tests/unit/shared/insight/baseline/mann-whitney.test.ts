import { expect, it } from 'vitest';
import { mannWhitney } from '../../../../../shared/insight/baseline/mann-whitney.ts';

// The values are those of R's wilcox.test and of the published tables.
it('is exact for small samples', () => {
  expect(mannWhitney([1, 2, 3], [4, 5, 6])).toEqual({ p: 0.1, delta: 1 });
  expect(mannWhitney([1, 2, 3, 4], [5, 6, 7, 8]).p).toBeCloseTo(2 / 70);
  expect(mannWhitney([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]).p).toBeCloseTo(2 / 252);
  expect(mannWhitney([1, 3, 5, 7, 9], [2, 4, 6, 8, 10])).toEqual({
    p: expect.closeTo(0.6905, 4),
    delta: expect.closeTo(0.2),
  });
});

it('approximates with ties', () => {
  expect(mannWhitney([1, 1, 1, 1, 1], [1, 1, 1, 1, 1])).toEqual({ p: 1, delta: 0 });
  expect(mannWhitney([1, 1, 2, 2, 3], [8, 8, 9, 9, 9])).toEqual({ p: expect.closeTo(0.011, 2), delta: 1 });
});
