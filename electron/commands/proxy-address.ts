import { roundtripError } from '../engine/errors.ts';

/** What stands where the upstream proxy's password would, in every form that leaves the host's memory. */
export const PASSWORD_MASK = '***';

function bad(url: string, detail: string): Error {
  return roundtripError('proxy.bad-address', { url: withoutPassword(url), detail });
}

/** Parses `[http://][user[:password]@]host[:port]`. Throws `proxy.bad-address`, the password left out of it. */
export function parseProxyAddress(address: string): URL {
  const trimmed = address.trim();
  if (trimmed === '') throw bad(trimmed, 'it is empty');
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (url === null) throw bad(trimmed, 'it is no address');
  if (url.protocol !== 'http:') throw bad(trimmed, `${url.protocol}// is not supported`);
  if (url.hostname === '') throw bad(trimmed, 'it names no host');
  if (url.port === '0') throw bad(trimmed, 'its port is 0');
  if ((url.pathname !== '/' && url.pathname !== '') || url.search || url.hash) throw bad(trimmed, 'it has a path');
  return url;
}

/** `http://user:password@host:port` without the slash that URL adds. The port stays out where it is the scheme's own. */
export function proxyAddressText(url: URL): string {
  return url.href.replace(/\/$/, '');
}

/** The address with its password masked, readable or not. */
export function withoutPassword(address: string): string {
  return address.replace(/^([^/]*\/\/)?([^/@:]*):[^@]*@/, `$1$2:${PASSWORD_MASK}@`);
}

function passwordOf(url: URL): string {
  try {
    return decodeURIComponent(url.password);
  } catch {
    throw bad(url.href, 'its password has a stray %: write it as %25');
  }
}

/** Splits an address into what may be written down, and the password; empty where it has none. */
export function splitPassword(address: string): { masked: string; password: string } {
  if (address === '') return { masked: '', password: '' };
  const url = parseProxyAddress(address);
  const password = passwordOf(url);
  if (password !== '') url.password = PASSWORD_MASK;
  return { masked: proxyAddressText(url), password };
}

/** The other way round: the address that the engine uses. */
export function joinPassword(masked: string, password: string): string {
  if (masked === '') return '';
  const url = parseProxyAddress(masked);
  if (passwordOf(url) === PASSWORD_MASK) url.password = encodeURIComponent(password);
  return proxyAddressText(url);
}
