/** A proxy that is reached over plain HTTP. */
export interface HttpProxy {
  host: string;
  port: number;
  /** The value of Proxy-Authorization. */
  authorization: string | null;
}

export interface Target {
  secure: boolean;
  /** Without the brackets of an IPv6 address. */
  host: string;
  port: number;
}

/** Returns the proxy for a target; null: connect directly. */
export type ProxyChoice = (target: Target) => HttpProxy | null;

export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** Returns null for anything but a proxy over plain HTTP: an https: or socks: proxy is not Roundtrip. */
function httpProxy(text: string | undefined): HttpProxy | null {
  if (!text) return null;
  try {
    const { protocol, hostname, port, username, password } = new URL(text.includes('://') ? text : `http://${text}`);
    if (protocol !== 'http:') return null;
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return {
      host: withoutBrackets(hostname),
      port: Number(port || 80),
      authorization: login === ':' ? null : `Basic ${Buffer.from(login).toString('base64')}`,
    };
  } catch {
    return null;
  }
}

/** A host name or bracketed IPv6 address with a port. A bare IPv6 address contains colons, but no brackets. */
const WITH_PORT = /^(\[.*\]|[^:]*):(\d+)$/;

/** `example.com`, `.example.com` or `*.example.com`, with or without `:port`; `*` is every host. As in undici. */
function excludes(entry: string, { host, port }: Target): boolean {
  if (entry === '*') return true;
  const [, name = entry, only = `${port}`] = WITH_PORT.exec(entry) ?? [];
  if (Number(only) !== port) return false;
  const suffix = name.replace(/^\*\./, '.');
  if (!suffix.startsWith('.')) return host === withoutBrackets(suffix);
  return host.endsWith(suffix) || host === suffix.slice(1);
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|::1)$/;

/** A program that handles the proxy itself, like axios, connects to the proxy's own address. */
function isProxyItself(proxy: HttpProxy, { host, port }: Target): boolean {
  return proxy.port === port && (proxy.host === host || (LOOPBACK.test(proxy.host) && LOOPBACK.test(host)));
}

/** Chooses by the proxy variables, read once as in newer versions of Node; lower-case names take precedence. */
export function proxyChoice(env: Readonly<Record<string, string | undefined>>): ProxyChoice {
  const plain = httpProxy(env.http_proxy || env.HTTP_PROXY);
  const secure = httpProxy(env.https_proxy || env.HTTPS_PROXY);
  const excluded = (env.no_proxy || env.NO_PROXY || '')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return (asked) => {
    const target = { ...asked, host: asked.host.toLowerCase() };
    const proxy = target.secure ? secure : plain;
    if (proxy === null || isProxyItself(proxy, target)) return null;
    return excluded.some((entry) => excludes(entry, target)) ? null : proxy;
  };
}
