/** A number from 0 to 1 that `seed` and `count` determine (mulberry32). */
export function seeded(seed: number, count: number): number {
  let state = (seed + Math.imul(count, 0x6d2b79f5)) | 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
}
