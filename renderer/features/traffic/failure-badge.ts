/**
 * Words for failure codes, short enough for the status column; the first match wins. The code itself is in the tooltip.
 */
const WORDS: readonly [RegExp, string][] = [
  [/certificate/, 'CERT'],
  [/host-not-found|dns/, 'DNS'],
  [/refused/, 'REFUSED'],
  [/timeout/, 'TIMEOUT'],
  [/reset/, 'RESET'],
  [/cut-short|empty/, 'CUT'],
  [/unreachable/, 'NO ROUTE'],
  [/^proxy\./, 'PROXY'],
  [/tls|handshake/, 'TLS'],
  [/bad-|not-http|too-large|too-many|http2-error/, 'BAD'],
];

/** The word for a failure code; FAILED if no pattern matches. */
export function failureWord(code: string): string {
  return WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'FAILED';
}
