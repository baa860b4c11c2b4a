import { firstHeader, type RawHeaders } from '../../../../shared/model/headers.ts';

/** A part of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** What a response holds: a part, all of it, or nothing, because no range is within the file (416). */
export type Chosen = ByteRange | 'all' | 'none';

/** One range of `bytes=` (RFC 9110, section 14.1.2): null if it is beyond the file, undefined if it is invalid. */
function readRange(text: string, size: number): ByteRange | null | undefined {
  const [, first, last] = /^[ \t]*(\d*)-(\d*)[ \t]*$/.exec(text) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? null : { start: size - length, end: size - 1 };
  }
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return null;
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/**
 * Whether the client's part belongs to the version that the rule gives (RFC 9110, section 13.1.5). `given`: the rule's
 * fields.
 */
function isCurrent(condition: string | undefined, given: RawHeaders): boolean {
  if (condition === undefined) return true;
  const isTag = condition.startsWith('"');
  return firstHeader(given, isTag ? 'etag' : 'last-modified') === condition;
}

/**
 * The part of a file of this size that a GET requests. Of several ranges, those outside the file don't count; if more
 * than one is left, the response holds the whole file, as a server may decide (RFC 9110, section 14.2).
 */
export function chooseRange(headers: RawHeaders, given: RawHeaders, size: number): Chosen {
  const [, list] = /^bytes[ \t]*=(.*)$/is.exec(firstHeader(headers, 'range') ?? '') ?? [];
  if (list === undefined || !isCurrent(firstHeader(headers, 'if-range'), given)) return 'all';
  const ranges = list
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => readRange(part, size));
  if (ranges.length === 0 || ranges.includes(undefined)) return 'all';
  const within = ranges.filter((range) => range !== null && range !== undefined);
  if (within.length > 1) return 'all';
  return within[0] ?? 'none';
}
