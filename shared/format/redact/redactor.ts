import type { BodySide } from '../../model/body-side.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { RedactionCount } from '../../model/export/redaction-count.ts';
import type { Failure } from '../../model/failure.ts';
import type { ResponseMessage } from '../../model/message.ts';
import { REDACTED, redactBody, redactExchange, redactQuery } from './redaction.ts';
import { secretForms, wide } from './secret-forms.ts';
import { TextSet } from './text-set.ts';

/** Characters of a secret that is worth searching for elsewhere: shorter ones are part of ordinary texts. */
const SHORTEST = 6;
/** The same for a cookie's value: most cookies are not secrets (`theme=dark`). */
const SHORTEST_COOKIE = 12;
/** What scripts send in place of a secret that they don't have: searching for it would damage every script. */
const NO_SECRETS = new Set(['undefined', '[object Object]', REDACTED]);

/**
 * Removes secrets from exchanges and bodies: by their names, by custom patterns, and wherever else in the session the
 * same secret occurs. Learn from all exchanges first, then redact each.
 */
export class Redactor {
  readonly #patterns: readonly { name: string; pattern: RegExp }[];
  readonly #secrets = new Set<string>();
  #search: TextSet | null = null;
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

  /** Keeps the secrets of a path or a URL, and returns it without them. Known secrets elsewhere in it stay. */
  learnAddress(address: string): string {
    return redactQuery(address, (_name, secret) => this.#keep(secret, false));
  }

  /** A copy without secrets. */
  exchange(exchange: Exchange): Exchange {
    const { exchange: redacted } = redactExchange(exchange, (one) => this.#count(one));
    return {
      ...redacted,
      request: this.#message(redacted.request),
      response: redacted.response && this.#response(redacted.response),
      sent: redacted.sent && this.#message(redacted.sent),
      received: redacted.received && this.#response(redacted.received),
      failure: this.#failure(redacted.failure),
      attempts: redacted.attempts.map((attempt) => ({ ...attempt, failure: this.#failure(attempt.failure) })),
      // What a user wrote, and what a script threw.
      rules: redacted.rules.map(({ name, problem, ...outcome }) => ({
        ...outcome,
        name: this.text(name),
        problem: problem && this.text(problem),
      })),
      mark: redacted.mark?.note ? { ...redacted.mark, note: this.text(redacted.mark.note) } : redacted.mark,
    };
  }

  /** A copy with secrets removed from the request only, for formats that write nothing else. */
  request(exchange: Exchange): Exchange {
    const { request } = this.exchange({ ...exchange, response: null, sent: null, received: null });
    return { ...exchange, request };
  }

  /** A copy with secrets removed from the URL only. */
  address(exchange: Exchange): Exchange {
    const bare = { ...exchange.request, headers: [], trailers: [] };
    const { path } = this.request({ ...exchange, request: bare }).request;
    return { ...exchange, request: { ...exchange.request, path } };
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
    return this.#withoutSecrets(clean, (found) => {
      const redacted = this.#replaced({ place: 'elsewhere', name: 'the same secrets' });
      return found.includes('\0') ? wide(redacted) : redacted;
    });
  }

  #withoutSecrets(text: string, replaced: (found: string) => string): string {
    this.#search ??= new TextSet(this.#secrets, SHORTEST);
    return this.#search.replaceCoded(this.#search.replace(text, replaced), replaced);
  }

  /** Whether a known secret occurs in a text. */
  knows(text: string): boolean {
    let found = false;
    this.#withoutSecrets(text, () => {
      found = true;
      return '';
    });
    return found;
  }

  /** What was removed so far, the most frequent first. */
  counts(): RedactionCount[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }

  #failure(failure: Failure | null): Failure | null {
    return (
      failure && { ...failure, message: this.text(failure.message), cause: failure.cause && this.text(failure.cause) }
    );
  }

  #response(response: ResponseMessage): ResponseMessage {
    const informational = response.informational.map((each) => ({ ...each, headers: this.#fields(each.headers) }));
    return { ...this.#message(response), informational };
  }

  #fields(fields: readonly string[]): string[] {
    return fields.map((text, at) => (at % 2 === 0 ? text : this.text(text)));
  }

  #message<M extends { headers: readonly string[]; trailers: readonly string[]; path?: string }>(message: M): M {
    const path = message.path === undefined ? {} : { path: this.text(message.path) };
    return { ...message, ...path, headers: this.#fields(message.headers), trailers: this.#fields(message.trailers) };
  }

  #keep(secret: string, isCookie: boolean): void {
    const value = secret.trim();
    if (value.length < (isCookie ? SHORTEST_COOKIE : SHORTEST) || this.#secrets.has(value)) return;
    if (NO_SECRETS.has(value)) return;
    // A cookie without a digit is a word.
    if (isCookie && !/\d/.test(value)) return;
    for (const form of secretForms(value)) if (form.length >= SHORTEST) this.#secrets.add(form);
    this.#search = null;
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
