import { PROXY_PORTS, type ProxyAddress, parseProxyUrl } from '../../../shared/format/proxy-url.ts';
import { describe, roundtripError } from '../../failures/errors.ts';

/** Replaces the upstream proxy's password wherever the address leaves the host's memory. */
export const PASSWORD_MASK = '***';

function bad(url: string, detail: string): Error {
  return roundtripError('proxy.bad-address', { url: withoutPassword(url), detail });
}

/** Parses `[scheme://][user[:password]@]host[:port]`. Throws `proxy.bad-address`, without the password. */
export function parseProxyAddress(address: string): ProxyAddress {
  try {
    return parseProxyUrl(address);
  } catch (error) {
    throw bad(address.trim(), describe(error));
  }
}

/** `http://user:password@host:port`. Omits the scheme's default port. */
function proxyAddressText({ scheme, host, port, user, password }: ProxyAddress): string {
  const login = password === '' ? encodeURIComponent(user) : `${encodeURIComponent(user)}:${written(password)}`;
  const at = login === '' ? '' : `${login}@`;
  const place = host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${at}${place}${port === PROXY_PORTS[scheme] ? '' : `:${port}`}`;
}

function written(password: string): string {
  return password === PASSWORD_MASK ? PASSWORD_MASK : encodeURIComponent(password);
}

/** Masks the password in an address, even if the address is invalid. */
export function withoutPassword(address: string): string {
  return address.replace(/^([^/]*\/\/)?([^/@:]*):.*@/, `$1$2:${PASSWORD_MASK}@`);
}

/** Splits an address into a masked form that may be stored or shown, and the password; empty if it has none. */
export function splitPassword(address: string): { masked: string; password: string } {
  if (address === '') return { masked: '', password: '' };
  const parsed = parseProxyAddress(address);
  const { password } = parsed;
  return { masked: proxyAddressText({ ...parsed, password: password === '' ? '' : PASSWORD_MASK }), password };
}

/** Reverses `splitPassword`: returns the address that the engine uses. */
export function joinPassword(masked: string, password: string): string {
  if (masked === '') return '';
  const parsed = parseProxyAddress(masked);
  return proxyAddressText(parsed.password === PASSWORD_MASK ? { ...parsed, password } : parsed);
}
