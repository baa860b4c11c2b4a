import { dayOf, minuteOf, secondOf, WEEKDAYS } from '../../../shared/format/clock.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Round steps of a clock, milliseconds. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 14, 28].map((count) => count * DAY),
];

/** Where an axis of times has its labels. */
export interface Ticks {
  /** Milliseconds since the Unix epoch. */
  times: number[];
  /** Milliseconds from one to the next. */
  step: number;
}

/** Round times of the user's clock from `from` to `to`, at most `most` of them. Milliseconds since the Unix epoch. */
export function ticksBetween(from: number, to: number, most: number): Ticks {
  const step = STEPS.find((each) => (to - from) / each <= most) ?? Math.ceil((to - from) / most / DAY) * DAY;
  // Round by the local clock: midnight is not a multiple of a day since the epoch in most places.
  const shift = new Date(from).getTimezoneOffset() * MINUTE;
  const times: number[] = [];
  for (let time = Math.ceil((from - shift) / step) * step + shift; time <= to; time += step) times.push(time);
  return { times, step };
}

/**
 * A time as precise as steps of `step` ms require, by the user's clock: `14:05`, `14:05:10`, `14:05:10.2`, `Sat 18:00`,
 * `21 Nov`.
 */
export function clockLabel(time: number, step: number): string {
  const date = new Date(time);
  if (step >= DAY) return dayOf(date);
  if (step > HOUR) return `${WEEKDAYS[date.getDay()]} ${minuteOf(date)}`;
  if (step >= MINUTE) return minuteOf(date);
  if (step >= SECOND) return secondOf(date);
  return secondOf(date, step >= 100 ? 1 : step >= 10 ? 2 : 3);
}
