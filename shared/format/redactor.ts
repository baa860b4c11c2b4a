import type { BodySide } from '../model/body-side.ts';
import type { Exchange } from '../model/exchange.ts';
import type { RedactionCount } from '../model/export/redaction-count.ts';
import { REDACTED, redactBody, redactExchange } from './redaction.ts';

/** Characters of a secret that is worth looking for elsewhere: shorter ones are part of ordinary texts. */
const SHORTEST = 6;
/** Of a cookie's value: most cookies are not secrets (`theme=dark`). */
const SHORTEST_COOKIE = 12;
/** Secrets that are looked for elsewhere. Others are removed in their own place only. */
const MOST = 5000;
/** Secrets in one pattern. */
const AT_ONCE = 500;

/**
 * Removes secrets from exchanges and bodies: by their names, by custom patterns, and wherever else in the session the
 * same secret occurs. Learn from all exchanges first, then redact each.
 */
export class Redactor {
  readonly #patterns: readonly { name: string; pattern: RegExp }[];
  readonly #secrets = new Set<string>();
  #searches: RegExp[] | null = null;
  readonly #counts = new Map<string, RedactionCount>();
  /** The pattern that is being applied: the one at fault if the work is interrupted. Null: none. */
  protected applied: string | null = null;

  /** `patterns`: regular expressions. Throws an Error that names the first invalid one. */
  constructor(patterns: readonly string[] = []) {
    this.#patterns = patterns.map((name) => ({ name, pattern: compiled(name) }));
  }

  /** Keeps the secrets of an exchange, to find them elsewhere. */
  learn(exchange: Exchange): void {
    redactExchange(exchange, ({ place }, secret) => this.#keep(secret, place === 'cookie'));
  }

  /** Keeps the secrets of a body. */
  learnBody(text: string, mediaType: string): void {
    redactBody(text, mediaType, (_name, secret) => this.#keep(secret, false));
  }

  /** A copy without secrets. */
  exchange(exchange: Exchange): Exchange {
    const { exchange: redacted } = redactExchange(exchange, (one) => this.#count(one));
    return {
      ...redacted,
      request: this.#message(redacted.request),
      response: redacted.response && this.#message(redacted.response),
      sent: redacted.sent && this.#message(redacted.sent),
      received: redacted.received && this.#message(redacted.received),
    };
  }

  /** A body's text without secrets. */
  body(text: string, mediaType: string, side: BodySide): string {
    const place = `${side} body` as const;
    return this.text(redactBody(text, mediaType, (name) => this.#count({ place, name })));
  }

  /** A text without what patterns match, and without known secrets. */
  text(text: string): string {
    let clean = text;
    for (const { name, pattern } of this.#patterns) {
      this.applied = name;
      clean = clean.replace(pattern, () => this.#replaced({ place: 'pattern', name }));
    }
    this.applied = null;
    for (const search of this.#prepared())
      clean = clean.replace(search, () => this.#replaced({ place: 'elsewhere', name: 'the same secrets' }));
    return clean;
  }

  /** What was removed so far, most first. */
  counts(): RedactionCount[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }

  #message<M extends { headers: readonly string[]; trailers: readonly string[]; path?: string }>(message: M): M {
    const clean = (fields: readonly string[]) => fields.map((text, at) => (at % 2 === 0 ? text : this.text(text)));
    const path = message.path === undefined ? {} : { path: this.text(message.path) };
    return { ...message, ...path, headers: clean(message.headers), trailers: clean(message.trailers) };
  }

  #keep(secret: string, isCookie: boolean): void {
    const value = secret.trim();
    if (value.length < (isCookie ? SHORTEST_COOKIE : SHORTEST) || this.#secrets.size >= MOST) return;
    // A cookie without a digit is a word.
    if (isCookie && !/\d/.test(value)) return;
    for (const form of formsOf(value)) if (form.length >= SHORTEST) this.#secrets.add(form);
    this.#searches = null;
  }

  /** The longest first: one secret may be the beginning of another. */
  #prepared(): RegExp[] {
    if (this.#searches !== null) return this.#searches;
    const sorted = [...this.#secrets].sort((a, b) => b.length - a.length).map(escaped);
    const searches: RegExp[] = [];
    for (let at = 0; at < sorted.length; at += AT_ONCE)
      searches.push(new RegExp(sorted.slice(at, at + AT_ONCE).join('|'), 'g'));
    this.#searches = searches;
    return searches;
  }

  #replaced(what: Omit<RedactionCount, 'count'>): string {
    this.#count(what);
    return REDACTED;
  }

  #count({ place, name }: Omit<RedactionCount, 'count'>): void {
    const key = `${place} ${name}`;
    const known = this.#counts.get(key) ?? { place, name, count: 0 };
    known.count += 1;
    this.#counts.set(key, known);
  }
}

function compiled(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'g');
  } catch {
    throw new Error(`${JSON.stringify(pattern)} is not a regular expression`);
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A secret as it may stand elsewhere: in a URL, in JSON (PHP escapes each `/`), and the password of a Basic login. */
function* formsOf(value: string): Generator<string> {
  yield value;
  for (const plain of [percentDecoded(value), unescaped(value)]) {
    yield plain;
    yield percentEncoded(plain);
    yield plain.replaceAll('/', '\\/');
  }
  const [, password] = /^[^:]*:(.+)$/s.exec(base64Decoded(value)) ?? [];
  if (password !== undefined) yield password;
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

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

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
