/** How to encode a field that no table holds: insert it, send a literal, or send a never-indexed literal. */
export const Indexing = { insert: 0, without: 1, never: 2 } as const;
export type Indexing = (typeof Indexing)[keyof typeof Indexing];

/**
 * Names whose values seldom repeat: an entry would only evict others. Same choice as nghttp2, except for `date`: on a
 * busy connection all responses within a second share it and take one byte; on an idle one it takes 65 of 4096 bytes.
 */
const SELDOM_REPEATED = new Set([
  ':path',
  'age',
  'content-length',
  'etag',
  'if-modified-since',
  'if-none-match',
  'location',
  'set-cookie',
]);

/** Secrets: an attacker can probe by guessing whether they are in a table (RFC 7541, section 7.1). */
const SECRET = new Set(['authorization', 'proxy-authorization']);

/** How fields of this name are indexed; short cookies are handled separately, see below. */
export function indexingOf(name: string): Indexing {
  if (SECRET.has(name)) return Indexing.never;
  return SELDOM_REPEATED.has(name) ? Indexing.without : Indexing.insert;
}

/** Cookies shorter than this, in bytes, can be guessed (RFC 7541, section 7.1.3; the limit is nghttp2's). */
export const SHORT_COOKIE = 20;
