import { expect, test } from 'vitest';
import { hexRow } from '../../../../../../renderer/features/inspector/body/hex-dump.ts';

const BYTES = new TextEncoder().encode('Roundtrip\n\u00e9 and more of it');

test('a row shows its offset, its bytes and the printable ones', () => {
  expect(hexRow(BYTES, 1, 8)).toEqual({ offset: '000008', bytes: '70 0a c3 a9 20 61 6e 64', text: 'p... and' });
});

test('the last row is as wide as the others', () => {
  expect(hexRow(BYTES, 3, 8)).toEqual({ offset: '000018', bytes: '20 69 74               ', text: ' it' });
});
