/**
 * Inherent, and in each case of the way `forward`: the client names its target to the proxy in absolute form, and the origin
 * gets the origin form (RFC 9112, section 3.2). The suite compares what the origin got, which is the same.
 */

/** A difference that stands, and why. Everything else that differs fails the suite. */
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
];

export function allowed(name: string, way: string): AllowedDifference | undefined {
  return ALLOWED_DIFFERENCES.find((each) => each.name === name && each.ways.includes(way));
}
