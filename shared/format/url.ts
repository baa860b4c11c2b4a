import type { RequestMessage } from '../model/message.ts';
import type { HarNameValue } from './har-types.ts';

type Target = Pick<RequestMessage, 'scheme' | 'authority' | 'path' | 'method'>;

/**
 * The URL of a request. The raw path stays as received, except for bytes that RFC 3986 forbids, which are
 * percent-encoded.
 */
export function urlOf({ scheme, authority, path, method }: Target): string {
  const origin = `${scheme}://${authority}`;
  if (method === 'CONNECT') return `${origin}/`;
  return origin + escapeTarget(path.startsWith('/') ? path : `/${path}`);
}

function escapeTarget(path: string): string {
  // Raw paths are Latin-1: one character for each byte.
  return path.replace(/[^\x21-\x7e]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** The pairs of a query string or an urlencoded form, with `+` and percent-encoding decoded if the result is UTF-8. */
export function parsePairs(text: string): HarNameValue[] {
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 0) return { name: decodePart(pair), value: '' };
      return { name: decodePart(pair.slice(0, equals)), value: decodePart(pair.slice(equals + 1)) };
    });
}

/** The query of a raw path: the part after the first `?`, up to a `#`. */
export function queryOf(path: string): string {
  const mark = path.indexOf('?');
  return mark < 0 ? '' : (path.slice(mark + 1).split('#', 1)[0] ?? '');
}

/** The part of a raw path before its query and fragment. */
export function withoutQuery(path: string): string {
  const end = path.search(/[?#]/);
  return end < 0 ? path : path.slice(0, end);
}

function decodePart(part: string): string {
  if (!/[%+]/.test(part)) return part;
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}
