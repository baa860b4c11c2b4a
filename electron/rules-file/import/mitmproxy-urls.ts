import { NoEquivalent } from './imported.ts';

/** The beginning of a URL: a scheme, either scheme, the slashes alone, or nothing. */
type Prefix = 'http' | 'https' | 'any' | '//' | '';

/** A pattern that is a literal URL. */
export interface PatternUrl {
  prefix: Prefix;
  /** With its port, if it names one. */
  host: string;
  /** Empty, or beginning with a slash. */
  path: string;
}

const PREFIXES: Readonly<Record<string, Prefix>> = {
  'http://': 'http',
  'https://': 'https',
  'https?://': 'any',
  '//': '//',
};
const URL_PARTS = /^(https?:\/\/|https\?:\/\/|\/\/)?([a-z0-9.-]*[a-z0-9](?::\d+)?)(\/[^*+?()[\]{}|^$\\]*)?$/i;

/** A pattern as a URL, with or without a scheme: `//example.com/static/`. Null: not a literal URL. */
export function patternUrl(pattern: string): PatternUrl | null {
  const plain = pattern.replace(/^\^/, '').replace(/\\([./:-])/g, '$1');
  const [, start = '', host, path = ''] = URL_PARTS.exec(plain) ?? [];
  // Without slashes before it, a word without a dot or a port is any text.
  if (host === undefined || (start === '' && !/[.:]/.test(host))) return null;
  return { prefix: PREFIXES[start.toLowerCase()] ?? '', host, path };
}

/** The path with `to` in place of its beginning. */
function newPath(from: string, to: string): { replacePath?: object[] } {
  if (from === to) return {};
  if (from.endsWith('/') && to === '')
    throw new NoEquivalent('the new URL has no slash where the pattern has one: end it with a slash too');
  const find = `^${from.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`;
  return { replacePath: [{ find, with: to.replaceAll('$', '$$$$'), regex: true }] };
}

/** The target of a mapping that replaces the pattern's URL with a text. Throws `NoEquivalent`. */
export function replacementUrl(from: PatternUrl, replacement: string): object {
  const [, start = '', host, port, path = ''] =
    /^(https?:\/\/|\/\/)?([a-z0-9.-]*[a-z0-9])(?::(\d+))?(\/[^\\#]*)?$/i.exec(replacement) ?? [];
  if (host === undefined) throw new NoEquivalent('the new URL is not a literal one with a host');
  const prefix = PREFIXES[start.toLowerCase()] ?? '';
  const hasScheme = (each: Prefix): boolean => each !== '' && each !== '//';
  if (hasScheme(prefix) !== hasScheme(from.prefix) || (!hasScheme(prefix) && prefix !== from.prefix))
    throw new NoEquivalent(
      'the pattern and the new URL must begin alike: both with a scheme, with // or with the host',
    );
  return {
    ...(hasScheme(prefix) && { scheme: prefix }),
    host,
    ...(port && { port: Number(port) }),
    ...newPath(from.path, path),
  };
}
