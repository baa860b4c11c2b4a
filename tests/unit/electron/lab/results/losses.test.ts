import { describe, expect, it } from 'vitest';
import { Losses } from '../../../../../electron/lab/results/losses.ts';

const cut = (count: number) => ({ cut: count, requests: 1001 });

describe('loads that lose responses', () => {
  it('are those with far more than the others', () => {
    const losses = new Losses();
    expect([0, 1, 120, 0, 250].map((count) => losses.isLossy(cut(count)))).toEqual([false, false, true, false, true]);
    expect(losses.loads).toBe(2);
  });

  it('are not those of a page that cancels its requests each time', () => {
    const losses = new Losses();
    expect([40, 41, 39, 55].map((count) => losses.isLossy(cut(count)))).toEqual([false, false, false, false]);
  });

  it('may be more in a page of few requests only if several are missing', () => {
    const losses = new Losses();
    expect([0, 2, 3].map((count) => losses.isLossy({ cut: count, requests: 8 }))).toEqual([false, false, true]);
  });
});
