const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Bytes of a secret whose base64 is searched for: shorter base64 can't be distinguished from other text. */
const ENCODED = 8;

const IS_ASCII = /^[ -~]+$/;

/** The bytes of ASCII in UTF-16, without the zero at one of their ends: which end is the byte order. */
export function wide(ascii: string): string {
  return ascii.split('').join('\0');
}

/**
 * The forms in which a secret may occur elsewhere: in a URL, also inside another URL, in JSON, inside base64, in
 * UTF-16, and the password of a Basic login. `decodeCodes` finds other codes for characters.
 */
export function* secretForms(value: string): Generator<string> {
  yield value;
  for (const plain of new Set([value, percentDecoded(value), unescaped(value)])) {
    yield plain;
    const encoded = percentEncoded(plain);
    yield encoded;
    yield encoded.replace(/%../g, (code) => code.toLowerCase());
    yield encoded.replaceAll('%20', '+');
    yield encoded.replaceAll('%', '%25');
    const json = JSON.stringify(plain).slice(1, -1);
    yield json;
    // Where quotation marks were codes, backslashes still are two.
    yield json.replaceAll('\\"', '"');
    yield* base64Forms(plain);
    if (IS_ASCII.test(plain)) yield wide(plain);
  }
  const [, password] = /^[^:]*:(.+)$/s.exec(base64Decoded(value)) ?? [];
  if (password !== undefined) yield password;
}

/**
 * The base64 characters of a text that do not depend on its surroundings: it begins at one of three places of a group.
 * With `+/` and with `-_` (RFC 4648, sections 4 and 5).
 */
function* base64Forms(text: string): Generator<string> {
  const bytes = utf8(text);
  if (bytes.length < ENCODED) return;
  for (const before of [0, 1, 2]) {
    // Bits of the bytes before share the first characters.
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const encoded = base64Encoded([...Array<number>(before).fill(0), ...bytes]).slice(from, to);
    yield encoded;
    yield encoded.replaceAll('+', '-').replaceAll('/', '_');
  }
}

/** Without padding. */
function base64Encoded(bytes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    for (const shift of [18, 12, 6, 0]) text += BASE64[(group >> shift) & 63];
  }
  return text;
}

/** Bytes of a text. */
function utf8(text: string): number[] {
  const encoded = percentEncoded(text);
  // Half a character has no encoding, and `text` came back.
  if (encoded === text && /[^\0-\x7f]/.test(text)) return [];
  const bytes: number[] = [];
  for (let at = 0; at < encoded.length; at += 1) {
    if (encoded[at] !== '%') bytes.push(encoded.charCodeAt(at));
    else {
      bytes.push(Number.parseInt(encoded.slice(at + 1, at + 3), 16));
      at += 2;
    }
  }
  return bytes;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Half a character, as JSON may have it, has no encoding. */
function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Of a string in JSON. */
function unescaped(text: string): string {
  try {
    return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text;
  } catch {
    return text;
  }
}

/** UTF-8 in base64, such as a Basic login's `user:password` (RFC 7617, section 2); other text as `%` and digits. */
function base64Decoded(text: string): string {
  let bits = 0;
  let count = 0;
  let bytes = '';
  for (const character of text.replace(/=+$/, '')) {
    bits = ((bits << 6) | BASE64.indexOf(character)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += `%${((bits >> count) & 0xff).toString(16).padStart(2, '0')}`;
  }
  return percentDecoded(bytes);
}
