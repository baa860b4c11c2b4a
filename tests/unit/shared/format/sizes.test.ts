import { expect, test } from 'vitest';
import { formatBytes, formatLimit } from '../../../../shared/format/sizes.ts';

test.each([
  [-1, '-'],
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [1024, '1.0 KB'],
  [10_188, '9.9 KB'],
  [10_240, '10 KB'],
  [1_022_000, '998 KB'],
  [1_023_999, '1.0 MB'],
  [1_048_576, '1.0 MB'],
  [5 * 1024 ** 3, '5.0 GB'],
  [5000 * 1024 ** 4, '5000 TB'],
])('%i: %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('a limit has no trailing zero decimals', () => {
  expect([1024, 1536, 10 * 1024 * 1024].map(formatLimit)).toEqual(['1 KB', '1.5 KB', '10 MB']);
});
