import type { Fail } from '../../../../shared/model/rule/actions.ts';

/** A number from 0 to 1 that `seed` and `count` determine (mulberry32). */
function seeded(seed: number, count: number): number {
  let state = (seed + Math.imul(count, 0x6d2b79f5)) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}

/** Whether this match fails. `count`: the number of the match, which with a seed decides alone. */
export function fails({ percent, seed }: Fail, count: number): boolean {
  if (percent >= 100) return true;
  return (seed === undefined ? Math.random() : seeded(seed, count)) * 100 < percent;
}
