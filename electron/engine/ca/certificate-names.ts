import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** RFC 5280, appendix A: ub-common-name. */
const COMMON_NAME_LIMIT = 64;

function withoutBracketsAndZone(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
}

/**
 * A host as a certificate names it: lower case, IDN in punycode, an IPv6 literal without brackets and zone, no dot at
 * the end. Throws a TypeError where the text can be no host at all.
 */
export function certificateName(host: string): string {
  const bare = withoutBracketsAndZone(host);
  if (isIP(bare) !== 0) return bare.toLowerCase();
  const name = (/^[\x20-\x7e]*$/.test(host) ? host.toLowerCase() : domainToASCII(host)).replace(/\.$/, '');
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)) throw new TypeError(`${JSON.stringify(host)} is no host name`);
  return name;
}

/** The names a leaf is made for, the first one first: what CONNECT asked for, and SNI where it says otherwise. */
export function certificateNames(host: string, serverName: string | null): string[] {
  const first = certificateName(host);
  if (serverName === null || serverName === host) return [first];
  const second = certificateName(serverName);
  return second === first ? [first] : [first, second];
}

/** The common name for these, or undefined where none of them fits (a SAN is what clients read anyway). */
export function commonNameFor(names: readonly string[]): string | undefined {
  return names.find((name) => name.length <= COMMON_NAME_LIMIT);
}
