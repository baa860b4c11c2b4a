import { expect, test } from 'vitest';
import { axisEnd } from '../../../../../renderer/features/timeline/value-axis.ts';

test.each([
  [4242, 5000],
  [600, 600],
  [7, 8],
  [1, 2],
])('%i requests', (most, end) => {
  expect(axisEnd(most, true)).toBe(end);
});

test.each([
  [254.9, 300],
  [0.6, 0.6],
  [0.031, 0.04],
])('%d ms', (most, end) => {
  expect(axisEnd(most, false)).toBe(end);
});

test('nothing above 0', () => {
  expect(axisEnd(0, true)).toBe(0);
});
