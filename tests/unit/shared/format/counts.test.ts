import { expect, test } from 'vitest';
import { counted, grouped, shortCount, timesInWords } from '../../../../shared/format/counts.ts';

test.each([
  [0, '0 exchanges'],
  [1, '1 exchange'],
  [2, '2 exchanges'],
  [1234, '1,234 exchanges'],
])('%i', (count, text) => {
  expect(counted(count, 'exchange')).toBe(text);
});

test.each([0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 1_234_567_890])(
  '%i has a comma before each three digits',
  (count) => {
    expect(grouped(count)).toBe(count.toLocaleString('en'));
  },
);

test.each([
  [1, 'once'],
  [2, '2 times'],
  [1234, '1,234 times'],
])('%i in words', (count, text) => {
  expect(timesInWords(count)).toBe(text);
});

test.each([
  [0, '0'],
  [9000, '9000'],
  [12_000, '12k'],
  [100_000, '100k'],
  [1_200_000, '1.2M'],
])('%i where there is little room', (count, text) => {
  expect(shortCount(count)).toBe(text);
});
