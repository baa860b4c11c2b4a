import { describe, expect, it } from 'vitest';
import { timeRange } from '../../../../electron/pac/time-range.ts';

/** Today at that time, by the machine's own clock. */
function at(hour: number, minute = 0, second = 0): Date {
  return new Date(2026, 10, 21, hour, minute, second);
}

describe('timeRange', () => {
  it.each([
    [[12], at(12, 59, 59), true],
    [[12], at(13), false],
    [[9, 17], at(9), true],
    [[9, 17], at(17, 59, 59), true],
    [[9, 17], at(18), false],
    [[9, 17], at(8, 59, 59), false],
    [[0, 23], at(23, 37), true],
    [[8, 30, 17, 0], at(8, 29, 59), false],
    [[8, 30, 17, 0], at(8, 30), true],
    [[8, 30, 17, 0], at(17, 0, 59), true],
    [[8, 30, 17, 0], at(17, 1), false],
    [[22, 0, 6, 0], at(23), true],
    [[22, 0, 6, 0], at(5), true],
    [[22, 0, 6, 0], at(12), false],
    [[0, 0, 0, 0, 0, 30], at(0, 0, 30), true],
    [[0, 0, 0, 0, 0, 30], at(0, 0, 31), false],
    [['9', '17'], at(10), true],
    [[], at(10), false],
    [[1, 2, 3], at(2), false],
  ])('%j at %s: %s', (args, now, expected) => {
    expect(timeRange(args, now)).toBe(expected);
  });

  it.each([
    [[12, 'GMT'], true],
    [[13, 'GMT'], false],
    [[12, 20, 12, 40, 'GMT'], true],
    [[12, 31, 12, 40, 'GMT'], false],
  ])('%j at 12:30 in Greenwich: %s', (args, expected) => {
    expect(timeRange(args, new Date(Date.UTC(2026, 10, 21, 12, 30)))).toBe(expected);
  });
});
