import { expect, test } from 'vitest';
import { CELLS } from '../../../../../renderer/features/traffic/cells.tsx';
import { exampleRow } from '../../../../support/example-row.ts';

test.each([
  ['', { ttfb: -1, status: 0, state: 'failed' as const }],
  ['-', { ttfb: -1, status: 200 }],
  ['0 ms', { ttfb: 0, status: 200 }],
  ['12.0 ms', { ttfb: 12, status: 200 }],
])('the TTFB %j', (text, row) => {
  expect(CELLS.ttfb.content(exampleRow({}, row))).toBe(text);
});
