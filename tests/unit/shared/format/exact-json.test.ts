import { expect, it } from 'vitest';
import { parseExactly } from '../../../../shared/format/exact-json.ts';

it.each([
  '{"id":12345678901234567890,"price":1.10,"n":[1.0,-0,1e3,1E400,0.1234567890123456789],"text":"1.0"}',
  '1234567890.123456789',
  '[1,2.5,-3,"12345678901234567890",1e999]',
])('numbers are written again as they were: %s', (text) => {
  expect(JSON.stringify(parseExactly(text))).toBe(text);
});

it('other numbers are numbers, and what is not JSON is an error', () => {
  expect(parseExactly('[1,2.50,-3e0]')).toEqual([1, 2.5, -3]);
  expect(parseExactly('[12345678901234567890]')).toMatchObject([{ rawJSON: '12345678901234567890' }]);
  expect(() => parseExactly('{"a":1.0')).toThrow(SyntaxError);
});

it('a document that is nested deeply is read too', () => {
  const text = `${'['.repeat(5000)}12345678901234567890${']'.repeat(5000)}`;
  expect(Array.isArray(parseExactly(text))).toBe(true);
});
