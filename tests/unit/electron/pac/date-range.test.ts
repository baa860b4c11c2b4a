import { describe, expect, it } from 'vitest';
import { dateRange } from '../../../../electron/pac/date-range.ts';

/** Noon of the 21st of November 2026, by the machine's own clock. */
const NOW = new Date(2026, 10, 21, 12);

describe('dateRange', () => {
  it.each([
    [[21], true],
    [[20], false],
    [['NOV'], true],
    [['DEC'], false],
    [[2026], true],
    [[2025], false],
    [[1, 21], true],
    [[22, 31], false],
    [[15, 5], true],
    [[22, 20], false],
    [[25, 22], true],
    [['OCT', 'NOV'], true],
    [['JAN', 'OCT'], false],
    [['NOV', 'FEB'], true],
    [['DEC', 'FEB'], false],
    [[2020, 2026], true],
    [[2027, 2030], false],
    [[1, 'JUN', 21, 'NOV'], true],
    [[1, 'JUN', 20, 'NOV'], false],
    [[15, 'NOV', 6, 'JAN'], true],
    [[24, 'DEC', 6, 'JAN'], false],
    [['OCT', 2026, 'MAR', 2027], true],
    [['OCT', 2025, 'MAR', 2026], false],
    [[21, 'NOV', 2026, 21, 'NOV', 2026], true],
    [[22, 'NOV', 2026, 1, 'JAN', 2030], false],
    [['21'], true],
    [[], false],
    [['GMT'], false],
    [['November'], false],
    [[1, 'NOV', 2026], false],
    [[1, 1, 30, 30], false],
  ])('%j: %s', (args, expected) => {
    expect(dateRange(args, NOW)).toBe(expected);
  });

  it('uses GMT on request', () => {
    const newYear = new Date(Date.UTC(2027, 0, 1, 0, 30));
    expect(dateRange(['JAN', 'GMT'], newYear)).toBe(true);
    expect(dateRange([31, 'DEC', 2026, 31, 'DEC', 2026, 'GMT'], newYear)).toBe(false);
  });
});
