import { expect, test } from 'vitest';
import { SharedTexts } from '../../../../../renderer/state/rows/shared-texts.ts';

test('returns every text unchanged, even if texts compete for a slot', () => {
  const shared = new SharedTexts();
  const texts = Array.from({ length: 40_000 }, (_, at) => `/items/${at}/details`).concat('', 'a', 'GET', '😀');
  for (const text of [...texts, ...texts]) if (shared.get(text) !== text) expect.fail(text);
  shared.clear();
  expect(shared.get('GET')).toBe('GET');
});
