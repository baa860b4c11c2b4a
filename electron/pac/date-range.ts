const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** Numbers above this are years. */
const DAYS = 31;

type Field = 'year' | 'month' | 'day';
/** From coarsest to finest, which is the order of comparison. */
const FIELDS: readonly Field[] = ['year', 'month', 'day'];
type Moment = Partial<Record<Field, number>>;

/** Parses the arguments of one end; null if one is not part of a date or repeats a field. */
function momentOf(args: readonly unknown[]): Moment | null {
  const moment: Moment = {};
  for (const arg of args) {
    const month = MONTHS.indexOf(String(arg));
    const number = month < 0 ? Number(arg) : month;
    const field = month >= 0 ? 'month' : number > DAYS ? 'year' : 'day';
    if (!Number.isInteger(number) || moment[field] !== undefined) return null;
    moment[field] = number;
  }
  return moment;
}

/** Maps moments with the same fields to numbers that increase with time. */
function numberOf(moment: Moment, fields: readonly Field[]): number {
  return fields.reduce((sum, field) => sum * 10_000 + (moment[field] ?? 0), 0);
}

/**
 * A PAC file's `dateRange`. Takes a day of the month, a month (`'JAN'`) or a year; or the start and end of a range of
 * these, or of dates made of them. A final `'GMT'` selects GMT instead of local time. Both ends are included. As in
 * Firefox and Chromium, a range may wrap around the end of a month or year: `dateRange(24, 'DEC', 6, 'JAN')`. Returns
 * false for anything else.
 */
export function dateRange(args: readonly unknown[], now: Date): boolean {
  const gmt = args.at(-1) === 'GMT';
  const given = gmt ? args.slice(0, -1) : args;
  const half = given.length / 2;
  const [from, to] =
    given.length === 1
      ? [momentOf(given), momentOf(given)]
      : [momentOf(given.slice(0, Math.ceil(half))), momentOf(given.slice(Math.ceil(half)))];
  if (from === null || to === null) return false;
  const fields = FIELDS.filter((field) => from[field] !== undefined);
  if (fields.length === 0 || fields.join() !== FIELDS.filter((field) => to[field] !== undefined).join()) return false;
  const today: Moment = gmt
    ? { year: now.getUTCFullYear(), month: now.getUTCMonth(), day: now.getUTCDate() }
    : { year: now.getFullYear(), month: now.getMonth(), day: now.getDate() };
  const [first, last, at] = [numberOf(from, fields), numberOf(to, fields), numberOf(today, fields)];
  return first <= last ? first <= at && at <= last : first <= at || at <= last;
}
