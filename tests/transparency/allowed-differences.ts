/**
 * Inherent, and in each case of the way `forward`: the client names its target to the proxy in absolute form, and the
 * origin gets the origin form (RFC 9112, section 3.2). The suite compares what the origin got, which is the same.
 *
 * Of HTTP/2's priorities the `priority` field passes (RFC 9218, section 5), and says all that a request begins with.
 * What does not pass belongs to a connection, and ours upstream carries the streams of several: PRIORITY frames,
 * deprecated (RFC 9113, section 5.3.2), and PRIORITY_UPDATE frames (RFC 9218, section 7.1). A server may ignore both.
 */

/** An accepted difference, and why. Everything else that differs fails the suite. */
export interface AllowedDifference {
  /** The case's whole name. */
  name: string;
  ways: readonly string[];
  reason: string;
}

export const ALLOWED_DIFFERENCES: readonly AllowedDifference[] = [
  {
    name: 'empty lines before a request',
    ways: ['tls', 'tunnel', 'forward'],
    reason: 'RFC 9112, section 2.2: a server ignores them; they belong to no message, and gadgets hide behind them.',
  },
  {
    name: 'proxy fields',
    ways: ['forward'],
    reason:
      'They are said to the proxy, not to the origin (RFC 9110, section 11.7; Proxy-Connection never was a standard).',
  },
  {
    name: 'HTTP/1.0 without host',
    ways: ['forward'],
    reason: 'RFC 9112, section 3.2.2: a proxy says in Host what the absolute form said.',
  },
  {
    name: 'origin resets with 7 at once',
    ways: ['http2'],
    reason:
      'REFUSED_STREAM says that nothing was done and invites another try (RFC 9113, section 8.7): the design makes ' +
      'two.',
  },
];

export function allowed(name: string, way: string): AllowedDifference | undefined {
  return ALLOWED_DIFFERENCES.find((each) => each.name === name && each.ways.includes(way));
}
