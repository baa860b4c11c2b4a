import { NoEquivalent } from './imported.ts';
import { globOfRegex, term } from './query-words.ts';

/** A filter of mitmproxy as a query. */
export interface MitmproxyFilter {
  when: string;
  /** Which message it is about; null: both. */
  side: 'request' | 'response' | null;
}

const FIELDS: Record<string, (value: string) => string> = {
  u: (value) => term('url', globOfRegex(value)),
  d: (value) => term('host', globOfRegex(value)),
  m: (value) => term('method', value.replace(/^\^|\$$/g, '')),
  c: (value) => term('status', value),
  t: (value) => term('type', globOfRegex(value)),
};

/** Operators, quoted text, and words. */
function tokens(text: string): string[] {
  return text.match(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[()!&|]|[^\s()!&|]+/g) ?? [];
}

const value = (token: string): string => token.replace(/^(["'])(.*)\1$/s, '$2').replace(/\\(["'])/g, '$1');

/** Translates a filter expression of mitmproxy. Throws `NoEquivalent`. */
export function mitmproxyFilter(text: string): MitmproxyFilter {
  const reader = new FilterReader(text);
  return { when: reader.any(), side: reader.side };
}

/**
 * Reads by precedence, as mitmproxy does: `|` binds less than `&`, and two filters without an operator are both meant.
 */
class FilterReader {
  /** The side that the filter names; null: it names none. */
  side: MitmproxyFilter['side'] = null;
  readonly #text: string;
  readonly #words: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#words = tokens(text);
  }

  any(): string {
    const parts = [this.#all()];
    while (this.#words[this.#at] === '|') {
      this.#at += 1;
      parts.push(this.#all());
    }
    // A part without a condition matches everything.
    if (parts.length > 1 && parts.includes('')) return '';
    return parts.length > 1 ? `(${parts.join(' OR ')})` : (parts[0] ?? '');
  }

  #all(): string {
    const parts: string[] = [];
    while (this.#at < this.#words.length && this.#words[this.#at] !== '|' && this.#words[this.#at] !== ')') {
      if (this.#words[this.#at] === '&') this.#at += 1;
      parts.push(this.#one());
    }
    return parts.filter((part) => part !== '').join(' ');
  }

  #one(): string {
    const token = this.#next();
    if (token === '') throw new NoEquivalent(`the filter ${JSON.stringify(this.#text)} is incomplete`);
    if (token === '!') return `NOT ${this.#one()}`;
    if (token === '(') {
      const inner = this.any();
      this.#at += 1;
      return `(${inner})`;
    }
    if (token === '~q' || token === '~s') {
      this.side = token === '~q' ? 'request' : 'response';
      return '';
    }
    if (token === '~all' || token === '.*' || token === '~http') return '';
    if (!token.startsWith('~')) return term('url', globOfRegex(value(token)));
    const name = token.slice(1);
    const make = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (make === undefined) throw new NoEquivalent(`the filter ${token} has no equivalent`);
    return make(value(this.#next()));
  }

  /** '' at the end. */
  #next(): string {
    this.#at += 1;
    return this.#words[this.#at - 1] ?? '';
  }
}
