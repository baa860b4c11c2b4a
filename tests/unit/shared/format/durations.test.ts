import { expect, test } from 'vitest';
import { formatDuration } from '../../../../shared/format/durations.ts';

test.each([
  [-1, '-'],
  [0, '0 ms'],
  [0.08, '80 µs'],
  [0.9994, '999 µs'],
  [0.9996, '1.00 ms'],
  [1.236, '1.24 ms'],
  [9.996, '10.0 ms'],
  [73.04, '73.0 ms'],
  [99.96, '100 ms'],
  [999.4, '999 ms'],
  [999.6, '1.00 s'],
  [59_990, '59.99 s'],
  [59_996, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%f ms: %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});
