/** The schemes of upstream proxies, with their default ports. */
export const PROXY_PORTS = { http: 80, https: 443, socks4: 1080, socks4a: 1080, socks5: 1080, socks5h: 1080 } as const;
export type ProxyScheme = keyof typeof PROXY_PORTS;

export interface ProxyAddress {
  scheme: ProxyScheme;
  /** Without brackets. */
  host: string;
  port: number;
  user: string;
  password: string;
}

function isScheme(name: string): name is ProxyScheme {
  return Object.hasOwn(PROXY_PORTS, name);
}

/** Decodes a part: `%40` is `@`. Throws an Error. */
function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`its ${what} has a stray %: write it as %25`);
  }
}

// Scheme, user and password up to the last @, host (IPv6 in brackets), port, and whatever else there is.
const ADDRESS = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:([^/?#]*)@)?(\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\]*)(?::(\d*))?(.*)$/i;

function portOf(text: string | undefined, scheme: ProxyScheme): number {
  if (text === undefined || text === '') return PROXY_PORTS[scheme];
  const port = Number(text);
  if (port === 0) throw new Error('its port is 0');
  if (port > 65_535) throw new Error('its port is above 65535');
  return port;
}

/**
 * Reads `[scheme://][user[:password]@]host[:port]`; without a scheme it is `http`. `socks4` and `socks5` resolve names
 * locally, `socks4a` and `socks5h` at the proxy. Throws an Error whose message is the fault, as part of a sentence.
 */
export function parseProxyUrl(address: string): ProxyAddress {
  const trimmed = address.trim();
  if (trimmed === '') throw new Error('it is empty');
  const [, given = 'http', login = '', host = '', port, rest = ''] = ADDRESS.exec(trimmed) ?? [];
  const scheme = given.toLowerCase();
  if (!isScheme(scheme)) throw new Error(`${scheme}:// is not supported (${Object.keys(PROXY_PORTS).join(', ')} are)`);
  if (host === '') throw new Error('it has no host');
  if (/^[/?#]/.test(rest) && rest !== '/') throw new Error('it has a path');
  if (rest !== '' && rest !== '/') throw new Error('it is not an address');
  const colon = login.indexOf(':');
  return {
    scheme,
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    port: portOf(port, scheme),
    user: decoded(colon < 0 ? login : login.slice(0, colon), 'user'),
    password: colon < 0 ? '' : decoded(login.slice(colon + 1), 'password'),
  };
}

/** An address, valid or not, without the login before its last `@`, for display and records. */
export function withoutLogin(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/i, '$1');
}

/** The same for a file's URL or path. In a path, an `@` is part of the name. */
export function urlWithoutLogin(place: string): string {
  return place.replace(/^([a-z]+:\/\/)[^/?#]*@/i, '$1');
}

/** `scheme://host:port`, IPv6 in brackets, for display and records. */
export function proxyLabel({ scheme, host, port }: Pick<ProxyAddress, 'scheme' | 'host' | 'port'>): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
