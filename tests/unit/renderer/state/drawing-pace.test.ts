import { describe, expect, it } from 'vitest';
import { CHART_SHARE, DrawingPace, type DrawingShare, LIST_SHARE } from '../../../../renderer/state/drawing-pace.ts';

/** A pace on its own clock, after one drawing that took `cost` milliseconds. */
function drawn(of: DrawingShare, cost: number): { pace: DrawingPace; pass: (ms: number) => void } {
  let now = 0;
  let done = () => {};
  const pace = new DrawingPace(
    of,
    () => now,
    (call) => {
      done = call;
    },
  );
  pace.draw(() => {});
  now += cost;
  done();
  return {
    pace,
    pass: (ms) => {
      now += ms;
    },
  };
}

describe('DrawingPace', () => {
  it('allows the first drawing immediately', () => {
    expect(new DrawingPace(LIST_SHARE).wait).toBe(0);
  });

  it.each([
    ['a cheap list, soon', LIST_SHARE, 2, 80],
    ['a dear one, later', LIST_SHARE, 30, 1200],
    ['one that takes forever, still every 1.5 s', LIST_SHARE, 900, 1500],
    ['a cheap chart, once a second', CHART_SHARE, 8, 1000],
    ['a dear one, less often', CHART_SHARE, 30, 3000],
    ['one that takes forever, every five seconds', CHART_SHARE, 900, 5000],
  ])('draws %s', (_, of, cost, pause) => {
    const { pace, pass } = drawn(of, cost);
    expect(pace.wait).toBe(pause);
    pass(pause);
    expect(pace.wait).toBe(0);
  });

  it('draws sooner while little happens', () => {
    expect([drawn(LIST_SHARE, 2), drawn(LIST_SHARE, 30)].map(({ pace }) => pace.calmWait)).toEqual([20, 300]);
  });

  it('assumes that a drawing takes as long as the one before, while little happens', () => {
    const { pace } = drawn(LIST_SHARE, 2);
    pace.draw(() => {});
    expect([pace.calmWait, pace.wait]).toEqual([20, LIST_SHARE.longest]);
  });

  it('waits for the end of a drawing, but not forever', () => {
    let now = 0;
    const pace = new DrawingPace(
      LIST_SHARE,
      () => now,
      () => {},
    );
    pace.draw(() => {});
    expect(pace.wait).toBe(LIST_SHARE.longest);
    now += LIST_SHARE.longest;
    expect(pace.wait).toBe(0);
  });
});
