import dns, { type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** A name that needs no DNS query. */
export function isLocalhost(host: string): boolean {
  return /(^|\.)localhost\.?$/i.test(host);
}

/**
 * The system's resolver, except that `localhost` and its subdomains resolve to loopback without a DNS query (RFC 6761,
 * section 6.3). Browsers and curl do the same. Without this, `shop.localhost` would work in them, but through Roundtrip
 * only if the system's resolver happened to know it.
 */
export const lookup: LookupFunction = (host, options, done) => {
  if (!isLocalhost(host)) {
    dns.lookup(host, options as LookupAllOptions, done as never);
    return;
  }
  const family = options.family === 'IPv4' ? 4 : options.family === 'IPv6' ? 6 : (options.family ?? 0);
  const found = LOOPBACK.filter((each) => family === 0 || each.family === family);
  process.nextTick(() => {
    if (options.all) done(null, found);
    else done(null, found[0]?.address ?? '127.0.0.1', found[0]?.family ?? 4);
  });
};
