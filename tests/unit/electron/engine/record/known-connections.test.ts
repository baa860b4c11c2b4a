import { expect, test } from 'vitest';
import { KnownConnections } from '../../../../../electron/engine/record/known-connections.ts';
import { EXAMPLE_UPSTREAM } from '../../../../support/example-exchange.ts';

test('reports a connection the first time, when it changes, and after a clear', () => {
  const known = new KnownConnections();
  const connection = { ...EXAMPLE_UPSTREAM, tls: null, reused: false };
  expect(known.isNews(connection)).toBe(true);
  expect(known.isNews({ ...connection, reused: true })).toBe(false);
  Object.assign(connection, { tls: EXAMPLE_UPSTREAM.tls });
  expect(known.isNews(connection)).toBe(true);
  expect(known.isNews(connection)).toBe(false);
  known.clear();
  expect(known.isNews(connection)).toBe(true);
});

test('forgets the oldest, which bounds memory', () => {
  const known = new KnownConnections();
  for (let id = 1; id <= 16_385; id++) known.isNews({ ...EXAMPLE_UPSTREAM, id });
  expect(known.isNews({ ...EXAMPLE_UPSTREAM, id: 16_385 })).toBe(false);
  expect(known.isNews({ ...EXAMPLE_UPSTREAM, id: 1 })).toBe(true);
});

test('forgets connections that ended long ago, and none that is open', () => {
  const known = new KnownConnections();
  const end = { at: 1, by: 'client', why: 'closed', code: 0, windowBlocked: 0 } as const;
  known.isNews({ ...EXAMPLE_UPSTREAM, id: 1 });
  for (let id = 2; id <= 2050; id++) {
    known.isNews({ ...EXAMPLE_UPSTREAM, id });
    known.ended({ ...EXAMPLE_UPSTREAM, id, end });
  }
  expect([known.has(1), known.has(2), known.has(3)]).toEqual([true, false, true]);
  expect(known.current({ ...EXAMPLE_UPSTREAM, id: 2 }).end).toBeUndefined();
  expect(known.current({ ...EXAMPLE_UPSTREAM, id: 3 }).end).toEqual(end);
});
