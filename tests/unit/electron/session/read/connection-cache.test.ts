import { expect, test } from 'vitest';
import { ConnectionCache } from '../../../../../electron/session/read/connection-cache.ts';
import { EXAMPLE_UPSTREAM } from '../../../../support/example-exchange.ts';

test('knows kept connections, and those missing from the session', () => {
  const cache = new ConnectionCache();
  expect(cache.get(1, false)).toBeUndefined();
  expect(cache.keep(1, false, EXAMPLE_UPSTREAM)).toBe(EXAMPLE_UPSTREAM);
  expect(cache.get(1, false)).toBe(EXAMPLE_UPSTREAM);
  // For an exchange that reused it, without another look into the file.
  expect(cache.get(1, true)).toEqual({ ...EXAMPLE_UPSTREAM, reused: true });
  cache.keep(2, false, null);
  expect([cache.get(2, false), cache.get(2, true)]).toEqual([null, null]);
});

test('holds 500: the one that was kept first leaves', () => {
  const cache = new ConnectionCache();
  for (let id = 1; id <= 501; id++) cache.keep(id, true, EXAMPLE_UPSTREAM);
  const kept = [cache.get(1, true), cache.get(2, true), cache.get(501, true)];
  expect(kept).toEqual([undefined, EXAMPLE_UPSTREAM, EXAMPLE_UPSTREAM]);
});
