import { describe, expect, it } from 'vitest';
import { openSchedstat, RunDelay } from '../../../../electron/engine/run-delay.ts';

/** A kernel whose count grows by `each` milliseconds with every call. */
function delayed(each: number) {
  let value = 100;
  let reads = 0;
  let by = each;
  const delay = new RunDelay(() => {
    reads += 1;
    return value;
  });
  return {
    reads: () => reads,
    grows: (ms: number) => {
      by = ms;
    },
    /** The wait that it reports over this many calls. */
    calls: (count: number): number => {
      const before = delay.total;
      let after = before;
      for (let done = 0; done < count; done += 1) {
        value += by;
        after = delay.total;
      }
      return after - before;
    },
  };
}

describe('the time that a thread waited for a core', () => {
  it('is hardly ever asked for while cores are free, and is nothing', () => {
    const it = delayed(0.005);
    expect(it.calls(3200)).toBe(0);
    expect(it.reads()).toBeLessThanOrEqual(3200 / 32 + 2);
  });

  it('is asked for each time while they are not', () => {
    const it = delayed(0.5);
    it.calls(64);
    expect(it.calls(100)).toBeCloseTo(50, 6);
  });

  it('ignores waits from before it was watched', () => {
    const it = delayed(0.5);
    expect(it.calls(64)).toBeLessThanOrEqual(0.5 * 64);
  });

  it('is no longer asked for once cores are free', () => {
    const it = delayed(0.5);
    it.calls(64);
    it.grows(0);
    it.calls(1024);
    const before = it.reads();
    it.calls(320);
    expect(it.reads() - before).toBeLessThanOrEqual(12);
  });

  it('is 0 where the system does not count it', () => {
    const none = new RunDelay(null);
    expect([none.total, none.total, none.total]).toEqual([0, 0, 0]);
  });
});

it.runIf(process.platform === 'linux')('Linux counts it for this thread', () => {
  const read = openSchedstat();
  const first = read?.() ?? Number.NaN;
  expect(first).toBeGreaterThanOrEqual(0);
  expect(read?.()).toBeGreaterThanOrEqual(first);
});
