import { expect, test } from 'vitest';
import { areaPath, dotsPath, linePath } from '../../../../../renderer/features/timeline/chart-paths.ts';
import type { TimelineBar } from '../../../../../renderer/state/timeline-buckets.ts';

const x = (time: number) => time / 100;
const y = (value: number) => 50 - value;

/** Bars of a second with these medians. */
function barsOf(...medians: (number | null)[]): TimelineBar[] {
  return medians.map((median, at) => {
    return { from: at * 1000, to: (at + 1) * 1000, ok: at, failed: 1, median, p95: median };
  });
}

test('an area goes along the upper values and back along the lower ones', () => {
  const edges = { low: ({ ok }: TimelineBar) => ok, high: ({ ok, failed }: TimelineBar) => ok + failed };
  expect(areaPath(barsOf(1, 1), edges, x, y)).toBe('M0 50V49H10V48H20V49H10V50H0Z');
  expect(areaPath([], edges, x, y)).toBe('');
});

test('a line is interrupted where there is no value', () => {
  expect(linePath(barsOf(1, 2, null, 3, 4), ({ median }) => median, x, y)).toBe('M5 49L15 48M35 47L45 46');
});

test('a value without neighbours is a dot', () => {
  expect(dotsPath(barsOf(1, null, 2, 3, null, 4), x, y)).toBe('M5 49h0M55 46h0');
  expect(dotsPath(barsOf(1, 2), x, y)).toBe('');
});
