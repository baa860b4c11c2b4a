import { PartFault } from './imported.ts';

/** JSON of other programs: fields are often missing, or of another type. */
export type LooseObject = Readonly<Record<string, unknown>>;

const NOTHING: LooseObject = {};

export function objectIn(value: unknown): LooseObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LooseObject) : NOTHING;
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A finite number, also as text; null for anything else. */
export function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A duration, or -1 for unknown. A number too large to be exact is unknown. */
export function measureIn(value: unknown): number {
  const number = numberIn(value);
  return number === null || number < 0 || number > Number.MAX_SAFE_INTEGER ? -1 : number;
}

/** A number of bytes, or -1 for unknown. */
export function sizeIn(value: unknown): number {
  return Math.floor(measureIn(value));
}

/** A status; 0 for none. */
export function statusIn(value: unknown): number {
  const number = sizeIn(value);
  return number < 1000 ? Math.max(number, 0) : 0;
}

/** Milliseconds since the Unix epoch, with the microseconds that `Date` drops. Throws `PartFault`. */
export function momentIn(value: unknown): number {
  const text = textIn(value);
  const parsed = Date.parse(text);
  if (Number.isNaN(parsed)) throw new PartFault(`Its start time ${JSON.stringify(value) ?? '(none)'} is not a date.`);
  const [, digits = ''] = /\.\d{3}(\d{1,3})/.exec(text) ?? [];
  return parsed + Number(digits.padEnd(3, '0')) / 1000;
}

/**
 * Header fields: objects with name and value, or pairs (Slack). Without HTTP/2's pseudo-fields, which Chrome lists.
 * Browsers write several fields of one name (`Set-Cookie`) as lines of one value.
 */
export function fieldsIn(value: unknown): string[] {
  return listIn(value).flatMap((field) => {
    const { name, value: content } = objectIn(field);
    const [first, second] = Array.isArray(field) ? field : [name, content];
    if (typeof first !== 'string' || first === '' || first.startsWith(':')) return [];
    const lines = second === undefined || second === null ? [''] : String(second).split(/\r?\n/);
    return lines.flatMap((line) => [first, line]);
  });
}
