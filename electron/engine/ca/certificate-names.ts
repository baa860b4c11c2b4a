import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** RFC 5280, appendix A: ub-common-name. */
const COMMON_NAME_LIMIT = 64;

function withoutBracketsAndZone(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
}

/**
 * A host as written in a certificate: lower case, IDN in punycode, an IPv6 literal without brackets and zone, no
 * trailing dot. Throws a TypeError if the text is not a valid host.
 */
function certificateName(host: string): string {
  const bare = withoutBracketsAndZone(host);
  if (isIP(bare) !== 0) return bare.toLowerCase();
  const name = (/^[\x20-\x7e]*$/.test(host) ? host.toLowerCase() : domainToASCII(host)).replace(/\.$/, '');
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)) throw new TypeError(`${JSON.stringify(host)} is not a host name`);
  return name;
}

/** The names for a leaf, in order: the CONNECT target, then the SNI if it differs. */
export function certificateNames(host: string, serverName: string | null): string[] {
  const first = certificateName(host);
  if (serverName === null || serverName === host) return [first];
  const second = certificateName(serverName);
  return second === first ? [first] : [first, second];
}

/** The common name for these names, or undefined if none fits (clients check the SAN anyway). */
export function commonNameFor(names: readonly string[]): string | undefined {
  return names.find((name) => name.length <= COMMON_NAME_LIMIT);
}
