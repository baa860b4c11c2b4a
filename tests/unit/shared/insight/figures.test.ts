import { expect, it } from 'vitest';
import { median, percentile } from '../../../../shared/insight/figures.ts';

it('interpolates between ranks', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(percentile([10, 20, 30, 40, 50], 95)).toBeCloseTo(48);
  expect(percentile([], 50)).toBeNaN();
});
