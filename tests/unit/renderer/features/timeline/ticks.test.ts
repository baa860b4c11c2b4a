import { expect, test, vi } from 'vitest';
import { clockLabel, ticksBetween } from '../../../../../renderer/features/timeline/ticks.ts';

const FROM = new Date(2026, 10, 21, 14, 5, 10, 40).getTime();
const HOUR = 3_600_000;

function labels(length: number, most = 10): string[] {
  const { times, step } = ticksBetween(FROM, FROM + length, most);
  return times.map((time) => clockLabel(time, step));
}

test.each([
  [900, ['14:05:10.1', '14:05:10.2', '14:05:10.3']],
  [8000, ['14:05:11', '14:05:12', '14:05:13']],
  [120_000, ['14:05:15', '14:05:30', '14:05:45']],
  [8 * HOUR, ['15:00', '16:00', '17:00']],
  [9 * 24 * HOUR, ['22 Nov', '23 Nov', '24 Nov']],
])('%i ms begin at round times', (length, wanted) => {
  expect(labels(length).slice(0, 3)).toEqual(wanted);
});

test.each([20, 900, 2500, 61_000, 7 * HOUR, 40 * HOUR, 400 * 24 * HOUR])(
  '%i ms: no label twice, and not too many',
  (length) => {
    for (const most of [3, 8, 14]) {
      const all = labels(length, most);
      expect(new Set(all).size).toBe(all.length);
      expect(all.length).toBeLessThanOrEqual(most + 1);
    }
  },
);

test.each([
  [3, '14:05:10.040'],
  [20, '14:05:10.04'],
  [500, '14:05:10.0'],
  [1000, '14:05:10'],
  [60_000, '14:05'],
  [HOUR, '14:05'],
  [2 * HOUR, 'Sat 14:05'],
  [24 * HOUR, '21 Nov'],
])('a label for steps of %i ms is as precise as they are', (step, label) => {
  expect(clockLabel(FROM, step)).toBe(label);
});

test('a label does not use Intl, which browsers load before the first rows', () => {
  const format = vi.spyOn(Date.prototype, 'toLocaleString').mockImplementation(() => expect.fail('it used Intl'));
  expect(clockLabel(FROM, 1000)).toBe('14:05:10');
  format.mockRestore();
});
