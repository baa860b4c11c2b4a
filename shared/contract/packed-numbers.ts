/**
 * Numbers as offsets from the lowest of them, in units of 1 or 1/1000: times have whole microseconds, and all other
 * numbers of a row are whole. Their decimal digits would take more time to write and to read than the rest of a page.
 */
export interface PackedNumbers {
  /** The lowest number, in units. */
  from: number;
  /** Units in 1. */
  per: 1 | 1000;
  /** Digits to the base 64, the highest first, and the same number of them for each offset. */
  offsets: string;
}

export const BITS_OF_DIGIT = 6;
const BASE = 2 ** BITS_OF_DIGIT;
/** Digits are characters from `#` on. The backslash is none of them: JSON needs two characters for it. */
const [ZERO, BACKSLASH] = [0x23, 0x5c];
/** The characters of the digits, as codes of ASCII. */
export const DIGITS = Uint8Array.from({ length: BASE }, (_, digit) => ZERO + digit + Number(ZERO + digit >= BACKSLASH));

/** From 0 to 63; -1: the character is no digit. */
function digitOf(code: number): number {
  const digit = code - ZERO - Number(code > BACKSLASH);
  return code !== BACKSLASH && digit < BASE ? digit : -1;
}

/** The `count` offsets in `text`; null: it does not have them. */
function offsetsIn(text: string, count: number): Float64Array | null {
  const width = text.length / count;
  if (!Number.isInteger(width)) return null;
  const offsets = new Float64Array(count);
  for (let at = 0, place = 0; at < count; at += 1) {
    let offset = 0;
    for (const end = place + width; place < end; place += 1) {
      const digit = digitOf(text.charCodeAt(place));
      if (digit < 0) return null;
      offset = offset * BASE + digit;
    }
    offsets[at] = offset;
  }
  return offsets;
}

function isInt32(number: number): boolean {
  return (number | 0) === number;
}

/** The `count` numbers of `PackedNumbers`, in the smallest type that holds them; null: this is not that. */
export function unpackedNumbers(value: object, count: number): Int32Array | Float64Array | null {
  const { from, per, offsets: text } = value as Partial<Record<keyof PackedNumbers, unknown>>;
  if (typeof from !== 'number' || !Number.isSafeInteger(from)) return null;
  if ((per !== 1 && per !== 1000) || typeof text !== 'string') return null;
  const numbers = offsetsIn(text, count);
  if (numbers === null) return null;
  for (let at = 0; at < count; at += 1) numbers[at] = (from + (numbers[at] ?? 0)) / per;
  return per === 1 && numbers.every(isInt32) ? Int32Array.from(numbers) : numbers;
}
