/** Of a proxy that is reached over plain HTTP. */
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

/** The proxy for a target; null: it is reached directly. */
export type ProxyChoice = (target: Target) => HttpProxy | null;

export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** Null for what is no proxy over HTTP: an https: or socks: one is not ours. */
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

/** A host with a port, or an IPv6 address with one. An IPv6 address alone has colons too, but no brackets. */
const WITH_PORT = /^(\[.*\]|[^:]*):(\d+)$/;

/** `example.com`, `.example.com` and `*.example.com`, each with or without `:port`; `*` is every host. As undici reads them. */
function excludes(entry: string, { host, port }: Target): boolean {
  if (entry === '*') return true;
  const [, name = entry, only = `${port}`] = WITH_PORT.exec(entry) ?? [];
  if (Number(only) !== port) return false;
  const suffix = name.replace(/^\*\./, '.');
  if (!suffix.startsWith('.')) return host === withoutBrackets(suffix);
  return host.endsWith(suffix) || host === suffix.slice(1);
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|::1)$/;

/** A program that knows the proxy itself, as axios does, asks for its address. */
function isProxyItself(proxy: HttpProxy, { host, port }: Target): boolean {
  return proxy.port === port && (proxy.host === host || (LOOPBACK.test(proxy.host) && LOOPBACK.test(host)));
}

/** By the variables, read once as newer versions of Node do; the lower-case ones come first. */
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
