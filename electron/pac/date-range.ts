const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** A larger number is a year. */
const DAYS = 31;

type Field = 'year' | 'month' | 'day';
/** Coarsest first: the order of comparison. */
const FIELDS: readonly Field[] = ['year', 'month', 'day'];
type Moment = Partial<Record<Field, number>>;

/** What the arguments of one end say; null where one of them is no part of a date, or says what another has said. */
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

/** For two moments with the same fields, the later one has the larger number. */
function numberOf(moment: Moment, fields: readonly Field[]): number {
  return fields.reduce((sum, field) => sum * 10_000 + (moment[field] ?? 0), 0);
}

/**
 * A PAC file's `dateRange`: a day of the month, a month (`'JAN'`) or a year, or one end and then the other of a range of them, or of
 * dates made of them; with `'GMT'` behind them if it is not the local date. Both ends belong to it. As in Firefox and Chromium
 * it may pass the end of a month or year: `dateRange(24, 'DEC', 6, 'JAN')`. Anything else is no date.
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
