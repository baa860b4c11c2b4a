import { BlockList, isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { addLinuxAddresses } from './linux-addresses.ts';

/**
 * Loopback and the unspecified addresses, which systems treat as loopback (RFC 1122, section 3.2.1.3; RFC 4291, section
 * 2.5).
 */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addSubnet('0.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
LOOPBACK.addAddress('::', 'ipv6');

/** RFC 3927 and RFC 4291, section 2.5.6. Cloud metadata services expose a machine's secrets at 169.254.169.254. */
const LINK_LOCAL = new BlockList();
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4');
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6');

/** An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) as URLs write it. */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

function unmapped(address: string): string {
  const [, high, low] = MAPPED.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const [upper, lower] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [upper >> 8, upper & 255, lower >> 8, lower & 255].join('.');
}

/**
 * Normalizes a host the way resolvers read it: `127.1`, `0x7f000001` and `::ffff:127.0.0.1` become `127.0.0.1`,
 * `LOCALHOST.` becomes `localhost`. The URL parser also supports the old inet_aton forms (WHATWG URL, "host parser").
 */
export function canonicalHost(host: string): string {
  const bare = host.replace(/%.*$/, '');
  try {
    const { hostname: read } = new URL(`http://${bare.includes(':') ? `[${bare}]` : bare}`);
    return unmapped(read.replace(/^\[|\]$/g, '')).replace(/\.+$/, '');
  } catch {
    return bare.toLowerCase().replace(/\.+$/, '');
  }
}

function isIn(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '');
}

/** Whether this machine currently has this address. */
function isOfInterface(address: string): boolean {
  const own = new BlockList();
  for (const each of Object.values(networkInterfaces()).flatMap((list) => list ?? [])) {
    const plain = withoutZone(each.address);
    own.addAddress(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
  }
  addLinuxAddresses(own);
  return isIn(own, address);
}

/** Whether the address belongs to this machine; false for a name. */
export function isThisMachine(address: string): boolean {
  const plain = withoutZone(address);
  return isIn(LOOPBACK, plain) || isOfInterface(plain);
}

/** Whether a client on another machine needs the user's permission for this address: this machine or link-local. */
export function isLocalAddress(address: string): boolean {
  return isThisMachine(address) || isIn(LINK_LOCAL, withoutZone(address));
}

/** Names that always mean this machine, whatever a resolver returns; in the form of `canonicalHost`. */
export function isNameOfThisMachine(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const full = hostname().toLowerCase();
  const [first = full] = full.split('.', 1);
  return name !== '' && [full, first, `${first}.local`].includes(name);
}
