import { NoEquivalent } from './imported.ts';

/** A term of a query. `*` in the value stands for any characters. */
export function term(field: string, value: string): string {
  return `${field}:${/[\s()",\\<>]/.test(value) ? `"${value.replace(/["\\]/g, '\\$&')}"` : value}`;
}

/** A pattern of a query for what a regular expression finds, wherever it finds it. Throws `NoEquivalent`. */
export function globOfRegex(source: string): string {
  const refuse = (): NoEquivalent =>
    new NoEquivalent(`the regular expression ${JSON.stringify(source)} has no equivalent: queries know only *`);
  let text = source;
  const isFromStart = text.startsWith('^');
  if (isFromStart) text = text.slice(1);
  const isToEnd = /(?:^|[^\\])(?:\\\\)*\$$/.test(text);
  if (isToEnd) text = text.slice(0, -1);
  // A scheme that may be either is any.
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
  // Without a star, a query looks for a part.
  if (!whole.includes('*')) throw refuse();
  return whole;
}

/** Terms for a URL or a path without its query: `https://a.test/b`, `a.test/b` or `/b`. */
export function exactUrl(url: string): string {
  const [, scheme, rest = ''] = /^(?:(https?):\/\/)?(.*)$/i.exec(url.split('?', 1)[0] ?? '') ?? [];
  if (rest.includes('*'))
    throw new NoEquivalent(`the URL ${JSON.stringify(url)} has a *, which queries read as any text`);
  if (rest.startsWith('/'))
    return `(${term('path', `${rest}?*`)} OR (${term('path', `${rest}*`)} ${term('path', `*${rest}`)}))`;
  const address = rest.includes('/') ? rest : `${rest}/`;
  const either = `(${term('url', `*://${address}`)} OR ${term('url', `*://${address}?*`)})`;
  return scheme === undefined ? either : `scheme:${scheme.toLowerCase()} ${either}`;
}
