/**
 * Times of the user's clock, without `Intl`: a browser loads its data for the first format, which took the window 10 ms
 * before its first rows.
 */

export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

function padded(number: number, digits = 2): string {
  return String(number).padStart(digits, '0');
}

/** `14:05` */
export function minuteOf(date: Date): string {
  return `${padded(date.getHours())}:${padded(date.getMinutes())}`;
}

/** `14:05:10`, and up to three digits of the second's fraction. */
export function secondOf(date: Date, digits = 0): string {
  const seconds = `${minuteOf(date)}:${padded(date.getSeconds())}`;
  return digits === 0 ? seconds : `${seconds}.${padded(date.getMilliseconds(), 3).slice(0, digits)}`;
}

/** `21 Nov` */
export function dayOf(date: Date): string {
  return `${date.getDate()} ${MONTHS[date.getMonth()]}`;
}

/** `21 Nov 2026, 14:05:10`, and up to three digits of the second's fraction. */
export function momentOf(date: Date, digits = 0): string {
  return `${dayOf(date)} ${date.getFullYear()}, ${secondOf(date, digits)}`;
}
