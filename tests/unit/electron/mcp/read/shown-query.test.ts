import { expect, it } from 'vitest';
import { shownQuery } from '../../../../../electron/mcp/read/shown-query.ts';

it.each([
  ['', ''],
  ['host:api (status:500 OR -type:json)', 'host:api (status:500 OR -type:json)'],
  ['header:x-cache', 'header:x-cache'],
  ['header:"accept: text/html"', 'header:"accept: text/html"'],
  ['header:authorization', 'header:authorization'],
  ['host:a -header:"Authorization: Bearer abc" path:/b', 'host:a -header:"Authorization: REDACTED" path:/b'],
  ['(header:x-api-key:abc)', '(header:"x-api-key:REDACTED")'],
  [String.raw`header:"x-csrf-token: a\"b" x`, 'header:"x-csrf-token: REDACTED" x'],
  ['cookie:sid=abc OR cookie:beta', 'cookie:"sid=REDACTED" OR cookie:beta'],
  ['header:"authorization: abc', 'REDACTED'],
])('agents see the query %s as %s', (query, shown) => {
  expect(shownQuery(query)).toBe(shown);
});
