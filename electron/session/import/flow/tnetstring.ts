/** A value of mitmproxy's files: https://tnetstrings.info, with `;` for text. Bytes stay bytes. */
export type TValue = Buffer | string | number | boolean | null | TValue[] | { [key: string]: TValue };

const COLON = 0x3a;
/** Digits of a length; more is not a tnetstring. */
const DIGITS = 12;

/** Levels of values in each other, and values in all: a flow has a few levels, and six values for each message. */
const DEEPEST = 50;
const MOST_VALUES = 2_000_000;

/** Throws an Error if the bytes are not a tnetstring, or one that only a hostile file holds. */
export function parseTnetstring(bytes: Buffer): TValue {
  return valueAt(bytes, 0, { depth: 0, values: 0 }).value;
}

/** How far a flow has been read. */
interface Progress {
  depth: number;
  values: number;
}

/**
 * The length in bytes of the tnetstring that begins at `start`, head and tag included; null if more bytes are needed.
 * Throws an Error if the length is missing.
 */
export function tnetstringLength(bytes: Buffer, start: number): number | null {
  const colon = bytes.indexOf(COLON, start);
  if (colon < 0 && bytes.length - start <= DIGITS) return null;
  const digits = colon < 0 || colon - start > DIGITS ? '' : bytes.toString('latin1', start, colon);
  if (!/^\d+$/.test(digits)) throw new Error('it is not a mitmproxy file');
  return colon - start + 1 + Number(digits) + 1;
}

function valueAt(bytes: Buffer, start: number, progress: Progress): { value: TValue; end: number } {
  const length = tnetstringLength(bytes, start);
  if (length === null || start + length > bytes.length) throw new Error('a value is incomplete');
  progress.values += 1;
  if (progress.values > MOST_VALUES) throw new Error('it holds too many values');
  const end = start + length;
  const from = bytes.indexOf(COLON, start) + 1;
  const tag = String.fromCharCode(bytes[end - 1] ?? 0);
  return { value: tagged(tag, bytes.subarray(from, end - 1), progress), end };
}

function tagged(tag: string, payload: Buffer, progress: Progress): TValue {
  switch (tag) {
    case ',':
      return payload;
    case ';':
      return payload.toString('utf8');
    case '#':
    case '^':
      return Number(payload.toString('latin1'));
    case '!':
      return payload.toString('latin1') === 'true';
    case '~':
      return null;
    case ']':
      return items(payload, progress);
    case '}':
      return dictionary(items(payload, progress));
    default:
      throw new Error(`the tag ${JSON.stringify(tag)} is unknown`);
  }
}

function items(payload: Buffer, progress: Progress): TValue[] {
  if (progress.depth >= DEEPEST) throw new Error('its values nest too deeply');
  progress.depth += 1;
  const all: TValue[] = [];
  for (let at = 0; at < payload.length; ) {
    const { value, end } = valueAt(payload, at, progress);
    all.push(value);
    at = end;
  }
  progress.depth -= 1;
  return all;
}

function dictionary(all: readonly TValue[]): { [key: string]: TValue } {
  // Without a prototype: a key named `__proto__` is a key.
  const found: { [key: string]: TValue } = Object.create(null);
  for (let at = 0; at + 1 < all.length; at += 2) found[String(all[at])] = all[at + 1] ?? null;
  return found;
}
