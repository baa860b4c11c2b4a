import * as v from 'valibot';
import { both, type Condition, either, negated } from './conditions.ts';
import type { HtkPart } from './htk-part.ts';
import { NoEquivalent, type Note } from './imported.ts';
import { address, exactUrl, globOfRegex, noStar, term } from './query-words.ts';

/** mockttp's numbers for methods. */
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'];
const Pairs = v.record(v.string(), v.union([v.string(), v.number(), v.array(v.union([v.string(), v.number()]))]));

function text(part: HtkPart, name: string): string {
  const value = part[name];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new NoEquivalent(`the matcher ${part.type} has no ${name}`);
}

/** Names and values that must all be present. */
function pairs(part: HtkPart, name: string): [string, string][] {
  const parsed = v.safeParse(Pairs, part[name]);
  if (!parsed.success) throw new NoEquivalent(`the matcher ${part.type} has no ${name}`);
  const list = Object.entries(parsed.output).flatMap(([key, value]) =>
    [value].flat().map((each): [string, string] => [key, String(each)]),
  );
  // Values may be secrets: the message does not quote them.
  if (list.flat().some((each) => each.includes('*')))
    throw new NoEquivalent(`the matcher ${part.type} has a *, which queries read as any text`);
  return list;
}

function method(part: HtkPart): Condition {
  const name = typeof part.method === 'number' ? METHODS[part.method] : text(part, 'uiType');
  if (name === undefined) throw new NoEquivalent(`the method ${part.method} is not known here`);
  return term('method', name);
}

/** HTTP Toolkit matches the address without its query. A pattern for the path alone is also one for the address. */
function regexUrl(part: HtkPart): Condition {
  const source = text(part, 'regexSource');
  const isPath = part.type === 'regex-path' && /^\^\\?\//.test(source);
  const field = isPath ? 'path' : 'url';
  const glob = globOfRegex(source);
  const hasEnd = source.endsWith('$') && !glob.endsWith('*');
  return hasEnd ? either(term(field, glob), term(field, `${glob}?*`)) : term(field, glob);
}

/** The default port of a scheme is not in the address. */
function host(part: HtkPart): Condition {
  const name = noStar(text(part, 'host'), 'the host');
  const [, bare = '', port] = /^(.*?):(80|443)$/.exec(name) ?? [];
  const written = address(`${name}/*`);
  return port === undefined ? written : either(written, address(`${bare}/*`, port === '80' ? 'http' : 'https'));
}

function port(part: HtkPart): Condition {
  const number = text(part, 'port');
  const written = term('host', `*:${number}`);
  const scheme = { 80: 'http', 443: 'https' }[number];
  return scheme === undefined ? written : either(written, both(`scheme:${scheme}`, negated('host:*:*')));
}

/** A query can't match a field's or cookie's exact value. */
function fields(part: HtkPart, name: string, join: (key: string, value: string) => string, note: Note): Condition {
  const wanted = pairs(part, name);
  if (wanted.some(([, value]) => value === ''))
    throw new NoEquivalent(`the matcher ${part.type} asks for an empty value, which queries can't`);
  note(`its matcher ${part.type} also fits longer values that contain the text, and upper and lower case alike`);
  return both(...wanted.map(([key, value]) => term(part.type, join(key, value))));
}

function cookie(part: HtkPart, note: Note): Condition {
  if (pairs(part, 'cookie').length > 1)
    throw new NoEquivalent('the matcher cookie with several cookies never matches in HTTP Toolkit');
  return fields(part, 'cookie', (key, value) => `${key}=${value}`, note);
}

/** One parameter of a query, as clients may write it. */
function parameter(key: string, value: string): Condition {
  const encoded = `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
  const forms = [encoded, encoded.replaceAll('%20', '+'), ...(value === '' ? [encodeURIComponent(key)] : [])];
  const ends = forms.flatMap((form) => [`*?${form}`, `*?${form}&*`, `*&${form}`, `*&${form}&*`]);
  return either(...ends.map((end) => term('path', end)));
}

function exactQuery(part: HtkPart): Condition {
  const wanted = noStar(text(part, 'query'), 'the query');
  return wanted === '' ? negated('path:*?*') : term('path', `*${wanted}`);
}

const MATCHERS: Record<string, (part: HtkPart, note: Note) => Condition> = {
  wildcard: () => true,
  'default-wildcard': () => true,
  method,
  'simple-path': (part) => exactUrl(text(part, 'path')),
  'regex-path': regexUrl,
  'regex-url': regexUrl,
  host,
  hostname: (part) => {
    const name = noStar(text(part, 'hostname'), 'the host');
    return either(address(`${name}/*`), address(`${name}:*`));
  },
  port,
  protocol: (part) => term('scheme', text(part, 'protocol')),
  header: (part, note) => fields(part, 'headers', (key, value) => `${key}: ${value}`, note),
  cookie,
  query: (part) => both(...pairs(part, 'queryObject').map(([key, value]) => parameter(key, value))),
  'exact-query-string': exactQuery,
};

/** The query for all of these matchers. Throws `NoEquivalent`. */
export function htkQuery(matchers: readonly HtkPart[], note: Note): string {
  const conditions = matchers.map((part) => {
    const make = Object.hasOwn(MATCHERS, part.type) ? MATCHERS[part.type] : undefined;
    if (make === undefined) throw new NoEquivalent(`the matcher ${part.type} has no equivalent`);
    return make(part, note);
  });
  const query = both(...conditions);
  return typeof query === 'string' ? query : '';
}
