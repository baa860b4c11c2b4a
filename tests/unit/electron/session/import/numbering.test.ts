import { expect, test } from 'vitest';
import { Numbering } from '../../../../../electron/session/import/numbering.ts';
import { RecentMap } from '../../../../../electron/session/import/recent-map.ts';

test('a connection keeps its number while it is in use, however many there are', () => {
  const numbering = new Numbering(1, 1);
  const { id } = numbering.connection('lasting');
  for (let each = 0; each < 200_000; each += 1) {
    numbering.connection(`short ${each}`);
    if (each % 40_000 === 0) expect(numbering.connection('lasting')).toEqual({ id, reused: true });
  }
});

test('what was used lately is there, and the map does not grow', () => {
  const map = new RecentMap<number, string>(3);
  for (let key = 0; key < 10; key += 1) map.set(key, String(key));
  const there = Array.from({ length: 10 }, (_, key) => map.get(key)).filter((value) => value !== undefined);
  expect(there.length).toBeLessThanOrEqual(6);
  expect(there).toContain('9');
});
