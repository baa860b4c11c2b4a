/** How a field goes that is in no table: inserted into the dynamic table, as a literal, or as a literal for ever. */
export const Indexing = { insert: 0, without: 1, never: 2 } as const;
export type Indexing = (typeof Indexing)[keyof typeof Indexing];

/**
 * Names whose values seldom come twice: an entry would only push out others. As nghttp2 chooses. `date` is not among
 * them: on a busy connection all answers of one second share it, and then it is one byte; on an idle one it takes 65
 * of 4096 bytes.
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

/** Secrets: that they are in a table can be found out by guessing (RFC 7541, section 7.1). */
const SECRET = new Set(['authorization', 'proxy-authorization']);

/** What a name's fields do; short cookies are another matter, see below. */
export function indexingOf(name: string): Indexing {
  if (SECRET.has(name)) return Indexing.never;
  return SELDOM_REPEATED.has(name) ? Indexing.without : Indexing.insert;
}

/** A cookie with less than this many bytes is open to guessing (RFC 7541, section 7.1.3; the limit is nghttp2's). */
export const SHORT_COOKIE = 20;
