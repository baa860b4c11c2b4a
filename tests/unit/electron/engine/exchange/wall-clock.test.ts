import { describe, expect, it } from 'vitest';
import { epochOf, WallClock } from '../../../../../electron/engine/exchange/wall-clock.ts';

const EPOCH = 1_700_000_000_000;

/** Two clocks that a test moves: the system's counts whole milliseconds, as `Date.now` does. */
function clocks() {
  let wall = EPOCH;
  let monotonic = 0;
  /** How long the thread is interrupted after it has read the system's clock. */
  let interruption = 0;
  const read = () => {
    const time = Math.floor(wall);
    wall += interruption;
    monotonic += interruption;
    return time;
  };
  const clock = new WallClock({ wall: read, monotonic: () => monotonic, origin: EPOCH });
  const pass = (milliseconds: number, ofWall = milliseconds) => {
    monotonic += milliseconds;
    wall += ofWall;
  };
  return {
    pass,
    now: () => clock.at(monotonic),
    at: (moment: number) => clock.at(moment),
    interrupt: (milliseconds: number) => {
      interruption = milliseconds;
    },
  };
}

describe('the wall clock', () => {
  it('is the system clock, to the microsecond', () => {
    const { pass, now } = clocks();
    pass(1.0004);
    expect(now()).toBeCloseTo(EPOCH + 1, 2);
    pass(0.123);
    expect(now()).toBeCloseTo(EPOCH + 1.1234, 2);
  });

  it('follows at once when the machine slept, or the clock was set forward or back', () => {
    const { pass, now } = clocks();
    pass(1000);
    now();
    pass(3, 8 * 3_600_000);
    expect(Math.abs(now() - (EPOCH + 1000 + 8 * 3_600_000))).toBeLessThanOrEqual(1);
    pass(3, -3_600_000);
    expect(Math.abs(now() - (EPOCH + 1000 + 7 * 3_600_000))).toBeLessThanOrEqual(1);
  });

  it('follows a step although every reading is interrupted, and nothing less than that', () => {
    const { pass, at, interrupt } = clocks();
    interrupt(100);
    pass(10);
    expect(at(10)).toBe(EPOCH + 10);
    pass(3, 3_600_000);
    expect(Math.abs(at(213) - (EPOCH + 210 + 3_600_000))).toBeLessThanOrEqual(101);
  });

  it('dates a moment before the step by the clock after it', () => {
    const { pass, at } = clocks();
    pass(1000);
    at(1000);
    pass(10, 60_000);
    expect(Math.abs(at(1005) - (EPOCH + 60_995))).toBeLessThanOrEqual(1);
  });

  it('never goes back and stays within 2 ms while the system clock is slewed', () => {
    const { pass, now } = clocks();
    let last = now();
    let wall = EPOCH;
    for (let turn = 0; turn < 20_000; turn += 1) {
      const rate = turn < 10_000 ? 0.9995 : 1.0005;
      pass(0.7, 0.7 * rate);
      wall += 0.7 * rate;
      const next = now();
      expect(next).toBeGreaterThanOrEqual(last);
      expect(Math.abs(next - wall)).toBeLessThan(2);
      last = next;
    }
  });

  it('does not add the rounding of the system clock to the distance between two moments', () => {
    const { pass, now } = clocks();
    let last = now();
    for (let turn = 0; turn < 1000; turn += 1) {
      pass(0.25);
      const next = now();
      expect(next - last).toBeCloseTo(0.25, 3);
      last = next;
    }
  });
});

it("this thread's clock agrees with the system's", () => {
  const before = Date.now();
  const now = epochOf(performance.now());
  expect(now).toBeGreaterThanOrEqual(before - 2);
  expect(now).toBeLessThanOrEqual(Date.now() + 2);
});
