import { expect, it } from 'vitest';
import { Deaths } from '../../../../../electron/worker/lives/deaths.ts';

it('counts only the deaths of the last minute', () => {
  let now = 0;
  const deaths = new Deaths(2, 60_000, () => now);
  expect(deaths.another()).toBe(false);
  expect(deaths.another()).toBe(false);
  now = 60_000;
  expect(deaths.another()).toBe(false);
  expect(deaths.another()).toBe(false);
  now = 61_000;
  expect(deaths.another()).toBe(true);
});
