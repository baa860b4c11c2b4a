import { remembered } from './remembered.ts';
import { withoutQuery } from './url.ts';

const DIGIT = /\d/;
const NUMBER = /^\d+$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;
const SHORTEST_HEX = 12;
/** Without the flag `i`, which takes three times as long. */
const HEX = /^[0-9a-fA-F]{12,}$/;
/** Crockford's base 32, as a ULID has it, and longer random names. */
const RANDOM = /^[0-9A-Za-z_-]{16,}$/;
/** The hash that bundlers put in a file's name: `app.5f3a9c1e.js`, `index-DkQ2x9aB.css`. */
const HASHED_NAME = /^(.*[.-])([0-9A-Za-z_]{8,})((?:\.[A-Za-z][0-9A-Za-z]{0,5}){1,2})$/;

/**
 * The path of a request with `{id}` in place of identifiers: numbers, UUIDs, hashes and random names. The query is left
 * out. `/users/17/orders/9f8b2c4d5e6f?page=2` is `/users/{id}/orders/{id}`. Two requests with the same method, host and
 * template ask for the same kind of thing.
 */
export function pathTemplate(path: string): string {
  const plain = withoutQuery(path);
  // Identifiers have digits; most paths do not.
  if (!DIGIT.test(plain)) return plain;
  const slash = plain.lastIndexOf('/');
  if (slash < 0) return segmentTemplate(plain);
  return `${folderTemplate(plain.slice(0, slash))}/${segmentTemplate(plain.slice(slash + 1))}`;
}

/** Most paths of a session are in a few folders. */
const folderTemplate = remembered((folder) => folder.split('/').map(segmentTemplate).join('/'));

/** Characters of the shortest segment with a hash in it: a separator, 8 of the hash, a dot and an extension. */
const SHORTEST_HASHED = 11;

function segmentTemplate(segment: string): string {
  if (!DIGIT.test(segment)) return segment;
  if (isId(segment)) return '{id}';
  return segment.length < SHORTEST_HASHED ? fileTemplate(segment) : longTemplate(segment);
}

function longTemplate(segment: string): string {
  const [, name, hash = '', extension] = HASHED_NAME.exec(segment) ?? [];
  if (isHash(hash)) return `${name}{id}${extension}`;
  return fileTemplate(segment);
}

function fileTemplate(segment: string): string {
  const dot = segment.lastIndexOf('.');
  // `17.json`: only an extension may follow, which has letters, unlike a version.
  if (dot > 0 && isId(segment.slice(0, dot)) && /^\.[A-Za-z]/.test(segment.slice(dot)))
    return `{id}${segment.slice(dot)}`;
  return segment;
}

function isId(text: string): boolean {
  if (NUMBER.test(text)) return true;
  if (text.length < SHORTEST_HEX) return false;
  return (HEX.test(text) && DIGIT.test(text)) || (text.length === UUID_LENGTH && UUID.test(text)) || isRandom(text);
}

/**
 * A word or a sentence in a path has no digits between its letters. `checkout-session-2024` has them only at its end.
 */
function isRandom(text: string): boolean {
  return RANDOM.test(text) && /[A-Za-z]/.test(text) && (text.match(/\d(?=[A-Za-z])/g)?.length ?? 0) >= 2;
}

function isHash(text: string): boolean {
  return /\d/.test(text) && (HEX.test(text) || /[A-Za-z]/.test(text) || NUMBER.test(text));
}
