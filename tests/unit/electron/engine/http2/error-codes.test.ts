import { expect, it } from 'vitest';
import { CODE, codeName } from '../../../../../electron/engine/http2/error-codes.ts';

it('names the codes of RFC 9113, section 7, and gives the number of any other', () => {
  const names = Object.values(CODE).map(codeName);
  expect(names).toEqual(Object.keys(CODE));
  expect(Object.values(CODE)).toEqual([...Array(14).keys()]);
  expect(codeName(99)).toBe('code 99');
});
