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

/** en-GB gives 24-hour times and the day before the month; the time zone is the user's. */
function part(time: number, options: Intl.DateTimeFormatOptions): string {
  return new Date(time).toLocaleString('en-GB', options);
}

/** A time as precise as steps of `step` ms require: `14:05`, `14:05:10`, `14:05:10.2`, `Sat 18:00`, `21 Nov`. */
export function clockLabel(time: number, step: number): string {
  if (step >= DAY) return part(time, { day: 'numeric', month: 'short' });
  if (step > HOUR) return part(time, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
  if (step >= MINUTE) return part(time, { hour: '2-digit', minute: '2-digit' });
  const seconds = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  if (step >= SECOND) return part(time, seconds);
  return part(time, { ...seconds, fractionalSecondDigits: step >= 100 ? 1 : step >= 10 ? 2 : 3 });
}
