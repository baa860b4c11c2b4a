import { describe, expect, it } from 'vitest';
import { Rush } from '../../../../shared/model/rush.ts';

function clocked() {
  let now = 5000;
  return {
    rush: new Rush(() => now),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('Rush', () => {
  it('does not treat the rows of a click as a rush', () => {
    const { rush, pass } = clocked();
    for (let click = 0; click < 10; click += 1) {
      rush.add(8);
      expect(rush.on).toBe(false);
      pass(1000);
    }
  });

  it('sees many rows at once', () => {
    const { rush } = clocked();
    rush.add(16);
    expect(rush.on).toBe(true);
  });

  it('sees many rows that come a few at a time', () => {
    const { rush, pass } = clocked();
    for (let portion = 0; portion < 60; portion += 1) {
      rush.add(2);
      pass(16);
    }
    expect(rush.on).toBe(true);
  });

  it('ends soon after the last row, however many there were', () => {
    const { rush, pass } = clocked();
    rush.add(100_000);
    pass(400);
    expect(rush.on).toBe(true);
    pass(50);
    expect(rush.on).toBe(false);
  });
});
