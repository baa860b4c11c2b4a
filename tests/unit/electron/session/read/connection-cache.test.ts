import { expect, test } from 'vitest';
import { ConnectionCache } from '../../../../../electron/session/read/connection-cache.ts';
import { EXAMPLE_UPSTREAM } from '../../../../support/example-exchange.ts';

test('knows what was kept, and what the session has not', () => {
  const cache = new ConnectionCache();
  expect(cache.get(1)).toBeUndefined();
  expect(cache.keep(1, EXAMPLE_UPSTREAM)).toBe(EXAMPLE_UPSTREAM);
  expect(cache.get(1)).toBe(EXAMPLE_UPSTREAM);
  cache.keep(2, null);
  expect(cache.get(2)).toBeNull();
});

test('holds 500: the one that was kept first leaves', () => {
  const cache = new ConnectionCache();
  for (let id = 1; id <= 501; id++) cache.keep(id, EXAMPLE_UPSTREAM);
  expect([cache.get(1), cache.get(2), cache.get(501)]).toEqual([undefined, EXAMPLE_UPSTREAM, EXAMPLE_UPSTREAM]);
});
