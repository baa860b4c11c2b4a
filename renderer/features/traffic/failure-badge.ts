/** A failure's code in one word that fits the status column; the code itself is shown where there is room. */
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

export function failureWord(code: string): string {
  return WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? 'FAILED';
}
