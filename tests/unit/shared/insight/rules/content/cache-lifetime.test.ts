import { expect, it } from 'vitest';
import { cacheLifetime } from '../../../../../../shared/insight/rules/content/cache-lifetime.ts';

const AT = Date.parse('2026-01-01T00:00:00Z');

it.each([
  [{}, { seconds: null, deliberate: false }],
  [{ 'cache-control': 'public, max-age=60' }, { seconds: 60, deliberate: false }],
  [
    { 'cache-control': 'MAX-AGE="60"', expires: 'Thu, 01 Jan 2026 01:00:00 GMT' },
    { seconds: 60, deliberate: false },
  ],
  [{ 'cache-control': 's-maxage=60' }, { seconds: null, deliberate: false }],
  [{ expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }, { seconds: 3600, deliberate: false }],
  [{ expires: '0' }, { seconds: 0, deliberate: false }],
  [{ 'cache-control': 'no-store' }, { seconds: null, deliberate: true }],
])('reads %j', (fields, lifetime) => {
  expect(cacheLifetime(fields, AT)).toEqual(lifetime);
});
