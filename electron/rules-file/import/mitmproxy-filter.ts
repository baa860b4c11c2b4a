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
  const words = tokens(text);
  let side: MitmproxyFilter['side'] = null;
  let at = 0;
  const one = (): string => {
    const token = words[at] ?? '';
    at += 1;
    if (token === '') throw new NoEquivalent(`the filter ${JSON.stringify(text)} is incomplete`);
    if (token === '!') return `NOT ${one()}`;
    if (token === '(') {
      const inner = any();
      at += 1;
      return `(${inner})`;
    }
    if (token === '~q' || token === '~s') {
      side = token === '~q' ? 'request' : 'response';
      return '';
    }
    if (token === '~all' || token === '.*' || token === '~http') return '';
    if (!token.startsWith('~')) return term('url', globOfRegex(value(token)));
    const name = token.slice(1);
    const make = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (make === undefined) throw new NoEquivalent(`the filter ${token} has no equivalent`);
    at += 1;
    return make(value(words[at - 1] ?? ''));
  };
  const all = (): string => {
    const parts: string[] = [];
    while (at < words.length && words[at] !== '|' && words[at] !== ')') {
      if (words[at] === '&') at += 1;
      parts.push(one());
    }
    return parts.filter((part) => part !== '').join(' ');
  };
  const any = (): string => {
    const parts = [all()];
    while (words[at] === '|') {
      at += 1;
      parts.push(all());
    }
    if (parts.length > 1 && parts.includes('')) return '';
    return parts.length > 1 ? `(${parts.join(' OR ')})` : (parts[0] ?? '');
  };
  return { when: any(), side };
}
