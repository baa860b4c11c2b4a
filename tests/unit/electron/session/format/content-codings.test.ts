import { expect, test } from 'vitest';
import { codingsOf } from '../../../../../electron/session/format/content-codings.ts';

test.each([
  [['Content-Type', 'text/html'], []],
  [['Content-Encoding', 'gzip'], ['gzip']],
  [
    ['content-encoding', ' GZip , BR '],
    ['br', 'gzip'],
  ],
  [['Content-Encoding', 'identity'], []],
  [
    ['Content-Encoding', 'deflate', 'Content-Encoding', 'gzip'],
    ['gzip', 'deflate'],
  ],
  [['Transfer-Encoding', 'chunked'], []],
  [
    ['Content-Encoding', 'br', 'Transfer-Encoding', 'gzip, chunked'],
    ['gzip', 'br'],
  ],
  [['Content-Encoding', ', ,'], []],
])('%j: %j', (headers, codings) => {
  expect(codingsOf(headers)).toEqual(codings);
});
