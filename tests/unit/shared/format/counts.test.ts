import { expect, test } from 'vitest';
import { counted } from '../../../../shared/format/counts.ts';

test.each([
  [0, '0 exchanges'],
  [1, '1 exchange'],
  [2, '2 exchanges'],
  [1234, '1,234 exchanges'],
])('%i', (count, text) => {
  expect(counted(count, 'exchange')).toBe(text);
});
