import { type Condition, either } from './conditions.ts';
import { NoEquivalent } from './imported.ts';

/** A term of a query. `*` in the value stands for any characters. */
export function term(field: string, value: string): string {
  return `${field}:${/[\s()",\\<>]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value}`;
}

/** Refuses a text that a query would read as a pattern. `what`: `the URL`. */
export function noStar(text: string, what: string): string {
  if (!text.includes('*')) return text;
  throw new NoEquivalent(`${what} ${JSON.stringify(text)} has a *, which queries read as any text`);
}

/** A query pattern that matches what a regular expression finds anywhere. Throws `NoEquivalent`. */
export function globOfRegex(source: string): string {
  const refuse = (): NoEquivalent =>
    new NoEquivalent(`the regular expression ${JSON.stringify(source)} has no equivalent: queries know only *`);
  let text = source;
  const isFromStart = text.startsWith('^');
  if (isFromStart) text = text.slice(1);
  const isToEnd = /(?:^|[^\\])(?:\\\\)*\$$/.test(text);
  if (isToEnd) text = text.slice(0, -1);
  // If both schemes match, any does.
  text = text.replace(/^https\?:\\?\/\\?\//, '.*://');
  let glob = '';
  for (let at = 0; at < text.length; at += 1) {
    const rest = text.slice(at);
    const any = /^(?:\.\*\??|\(\.\*\??\))/.exec(rest)?.[0];
    const escaped = /^\\([^A-Za-z0-9*])/.exec(rest)?.[1];
    const char = text[at] ?? '';
    if (any !== undefined) glob += '*';
    else if (escaped !== undefined) glob += escaped;
    // Most write a host's dots without a backslash.
    else if (/[^\\^$*+?()[\]{}|]/.test(char)) glob += char;
    else throw refuse();
    at += any !== undefined ? any.length - 1 : escaped !== undefined ? 1 : 0;
  }
  const isPart = !isFromStart && !isToEnd && !glob.includes('*');
  if (isPart) return glob;
  const whole = `${isFromStart ? '' : '*'}${glob}${isToEnd ? '' : '*'}`.replace(/\*+/g, '*');
  // Without a star, a query matches a part.
  if (!whole.includes('*')) throw refuse();
  return whole;
}

/** Terms for what a regular expression finds in a field; each side of a `|` outside parentheses is one. */
export function anyOfRegex(field: string, source: string): Condition {
  const alternatives = /[()[\]{}\\]/.test(source) ? [source] : source.split('|');
  if (alternatives.includes('')) throw new NoEquivalent('an empty alternative has no equivalent');
  return either(...alternatives.map((each) => term(field, globOfRegex(each))));
}

/** Terms for addresses without a scheme, as patterns. A `*` before the `://` would also find it inside a query. */
export function address(pattern: string, scheme?: string): Condition {
  const schemes = scheme === undefined ? ['http', 'https'] : [scheme.toLowerCase()];
  return either(...schemes.map((each) => term('url', `${each}://${pattern}`)));
}

const DEFAULT_PORTS: Readonly<Record<string, RegExp>> = { http: /:80$/, https: /:443$/ };

/** Terms for a URL or a path without its query: `https://a.test/b`, `a.test/b` or `/b`. */
export function exactUrl(url: string): Condition {
  const [, scheme, rest = ''] = /^(?:(https?):\/\/)?(.*)$/i.exec(noStar(url.split('?', 1)[0] ?? '', 'the URL')) ?? [];
  if (rest.startsWith('/'))
    return `(${term('path', `${rest}?*`)} OR (${term('path', `${rest}*`)} ${term('path', `*${rest}`)}))`;
  const [, host = '', place = '/'] = /^([^/]*)(\/.*)?$/s.exec(rest) ?? [];
  const bare = host.replace(DEFAULT_PORTS[scheme?.toLowerCase() ?? ''] ?? /$^/, '');
  const exact = [scheme?.toLowerCase() ?? ['http', 'https']].flat().map((each) => {
    const whole = `${each}://${bare}${place}`;
    // A pattern with a * matches the whole text, and without one a part: both ends together mean "exactly".
    return `(${term('url', `${whole}*`)} ${term('url', `*${whole}`)}) OR ${term('url', `${whole}?*`)}`;
  });
  return `(${exact.join(' OR ')})`;
}
