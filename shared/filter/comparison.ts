import { QueryError } from './query.ts';

export type Unit = 'status' | 'time' | 'bytes' | 'count';

/** Factors to milliseconds and bytes. A bare number is in one of these. */
const FACTORS: Record<Unit, Record<string, number>> = {
  status: { '': 1 },
  count: { '': 1 },
  time: { '': 1, us: 0.001, µs: 0.001, ms: 1, s: 1000, m: 60_000, min: 60_000 },
  bytes: {
    '': 1,
    b: 1,
    k: 1024,
    kb: 1024,
    kib: 1024,
    m: 1024 ** 2,
    mb: 1024 ** 2,
    mib: 1024 ** 2,
    g: 1024 ** 3,
    gb: 1024 ** 3,
  },
};

const EXAMPLES: Record<Unit, string> = {
  status: '404, 4xx, >=400 or 200..299',
  count: '12, >10 or 10..20',
  time: '>200ms, <=1.5s or 100ms..1s',
  bytes: '>10kb, <=2mb or 1kb..10kb',
};

type Place = { position: number; length: number };

/** Which figures a value matches: `low` and `high` bound all of them. */
export interface Comparison {
  low: number;
  high: number;
  fits: (actual: number) => boolean;
}

const { NEGATIVE_INFINITY: LEAST, POSITIVE_INFINITY: MOST } = Number;

/** `404`, `>=400`, `200..299`, `4xx` (statuses), with the unit's suffixes. Throws `QueryError` at `place`. */
export function comparison(value: string, unit: Unit, place: Place): Comparison {
  const hundred = unit === 'status' ? /^([1-9])xx$/i.exec(value) : null;
  if (hundred) return within(Number(hundred[1]) * 100, Number(hundred[1]) * 100 + 99);
  const range = value.split('..');
  if (range.length === 2) return compileRange(range, unit, place);
  const [, operator = '', operand = ''] = /^(>=|<=|>|<|=)?(.*)$/.exec(value) ?? [];
  const wanted = quantity(operand, unit, place);
  if (operator === '>') return { low: wanted, high: MOST, fits: (actual) => actual > wanted };
  if (operator === '>=') return { low: wanted, high: MOST, fits: (actual) => actual >= wanted };
  if (operator === '<') return { low: LEAST, high: wanted, fits: (actual) => actual < wanted };
  if (operator === '<=') return { low: LEAST, high: wanted, fits: (actual) => actual <= wanted };
  return { low: wanted, high: wanted, fits: (actual) => actual === wanted };
}

/** Either end may be left out: `400..`, `..1s`. */
function compileRange([from = '', to = '']: string[], unit: Unit, place: Place): Comparison {
  if (from === '' && to === '')
    throw new QueryError(`This range has no limits: write one like ${EXAMPLES[unit]}.`, place, 'there');
  const low = from === '' ? LEAST : quantity(from, unit, place);
  const high = to === '' ? MOST : quantity(to, unit, place);
  if (low > high) throw new QueryError(`This range is empty: write ${to}..${from}.`, place);
  return within(low, high);
}

function within(low: number, high: number): Comparison {
  return { low, high, fits: (actual) => actual >= low && actual <= high };
}

/**
 * What may become a quantity by further typing: nothing yet, `1.`, `10k` of `10kb`, and of a status the first digits.
 */
function isUnfinished(text: string, unit: Unit): boolean {
  if (unit === 'status') return /^([1-9]?\d?|[1-9]x)$/i.test(text);
  const [, suffix] = /^(?:\d+(?:\.\d*)?)?([a-zµ]*)$/i.exec(text) ?? [];
  if (suffix === undefined) return false;
  return suffix === '' || Object.keys(FACTORS[unit]).some((known) => known.startsWith(suffix.toLowerCase()));
}

/** A number with a suffix, in milliseconds, bytes or as it is. Throws `QueryError` at `place`. */
export function quantity(text: string, unit: Unit, place: Place): number {
  const mending = isUnfinished(text, unit) ? 'there' : null;
  if (text === '') throw new QueryError(`A number is expected here: write ${EXAMPLES[unit]}.`, place, mending);
  if (unit === 'status' && mending)
    throw new QueryError(`A status has three digits: write ${EXAMPLES[unit]}.`, place, mending);
  const [, digits, suffix = ''] = /^(\d+(?:\.\d+)?)([a-zµ]*)$/i.exec(text) ?? [];
  const factors = FACTORS[unit];
  const known = suffix.toLowerCase();
  const factor = Object.hasOwn(factors, known) ? factors[known] : undefined;
  if (digits !== undefined && factor !== undefined) return Number(digits) * factor;
  if (digits === undefined)
    throw new QueryError(`${JSON.stringify(text)} is not a number: write ${EXAMPLES[unit]}.`, place, mending);
  const units = Object.keys(factors).filter((name) => name !== '');
  const fix = units.length === 0 ? 'write the number alone' : `use one of ${units.join(', ')}`;
  throw new QueryError(`${JSON.stringify(suffix)} is not a unit here: ${fix}.`, place, mending);
}
