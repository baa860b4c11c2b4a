/** An upstream HTTP proxy on the way to every origin. */
export interface UpstreamProxy {
  host: string;
  port: number;
  /** The value of Proxy-Authorization, or null. Never logged, never recorded. */
  authorization: string | null;
  /** `http://host:port`, for records: no credentials in it. */
  label: string;
}

/** Where a connection goes, and all that decides whether two exchanges can share one. */
export interface Origin {
  scheme: 'http' | 'https';
  host: string;
  port: number;
  /** Sent as SNI and checked against the certificate; for an IP literal the literal, which is checked and not sent. */
  serverName: string;
  /** Offered to upstream; empty: no ALPN. */
  alpn: readonly string[];
  proxy: UpstreamProxy | null;
  key: string;
}

export function makeOrigin(of: Omit<Origin, 'key'>): Origin {
  const key = `${of.scheme}|${of.host}|${of.port}|${of.serverName}|${of.alpn.join(',')}|${of.proxy?.label ?? ''}`;
  return { ...of, key };
}

/** `host:port`, IPv6 in brackets. */
export function addressOf(to: { host: string; port: number }): string {
  return to.host.includes(':') ? `[${to.host}]:${to.port}` : `${to.host}:${to.port}`;
}

/**
 * The upstream proxy of a setting's URL, `http://user:password@host:port`. Null for an empty one.
 * Throws an Error with what is wrong with it.
 */
export function parseProxyUrl(url: string): UpstreamProxy | null {
  if (url === '') return null;
  if (!URL.canParse(url)) throw new Error('it is no URL');
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:')
    throw new Error(`the scheme ${parsed.protocol.slice(0, -1)} is not supported, only http is`);
  if (parsed.hostname === '') throw new Error('the host is missing');
  if (parsed.pathname !== '/' || parsed.search !== '' || parsed.hash !== '')
    throw new Error('a path does not belong there');
  const host = parsed.hostname.startsWith('[') ? parsed.hostname.slice(1, -1) : parsed.hostname;
  const port = Number(parsed.port || 80);
  const credentials = `${decodeURIComponent(parsed.username)}:${decodeURIComponent(parsed.password)}`;
  return {
    host,
    port,
    authorization: credentials === ':' ? null : `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`,
    label: `http://${addressOf({ host, port })}`,
  };
}
