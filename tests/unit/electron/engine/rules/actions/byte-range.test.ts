import { expect, test } from 'vitest';
import { chooseRange } from '../../../../../../electron/engine/rules/actions/byte-range.ts';

const part = (start: number, end: number) => ({ start, end });

test.each([
  ['bytes=0-0', 10, part(0, 0)],
  ['bytes=3-', 10, part(3, 9)],
  ['bytes=3-99', 10, part(3, 9)],
  ['bytes=9-9', 10, part(9, 9)],
  ['bytes=-4', 10, part(6, 9)],
  ['bytes=-99', 10, part(0, 9)],
  ['Bytes=0-1', 10, part(0, 1)],
  ['bytes=10-', 10, 'none'],
  ['bytes=10-20', 10, 'none'],
  ['bytes=-0', 10, 'none'],
  ['bytes=0-', 0, 'none'],
  ['bytes=-5', 0, 'none'],
  ['bytes=99999999999999999999-', 10, 'none'],
  ['bytes=20-30, 40-', 10, 'none'],
  ['bytes=20-30, 1-2', 10, part(1, 2)],
  ['bytes=0-1, 4-5', 10, 'all'],
  ['bytes=5-4', 10, 'all'],
  ['bytes=a-', 10, 'all'],
  ['bytes=-', 10, 'all'],
  ['bytes=', 10, 'all'],
  ['items=0-1', 10, 'all'],
])('%s of %i bytes', (value, size, expected) => {
  expect(chooseRange(['Range', value], [], size)).toEqual(expected);
});

const GIVEN = ['ETag', '"one"', 'Last-Modified', 'Wed, 25 Nov 2026 20:00:00 GMT'];

test.each([
  ['"one"', part(0, 1)],
  ['Wed, 25 Nov 2026 20:00:00 GMT', part(0, 1)],
  ['"two"', 'all'],
  ['W/"one"', 'all'],
  ['Wed, 25 Nov 2026 21:00:00 GMT', 'all'],
])('If-Range %s', (condition, expected) => {
  expect(chooseRange(['Range', 'bytes=0-1', 'If-Range', condition], GIVEN, 10)).toEqual(expected);
});

test('a version that the rule does not name is not current', () => {
  expect(chooseRange(['Range', 'bytes=0-1', 'If-Range', '"one"'], [], 10)).toBe('all');
});
