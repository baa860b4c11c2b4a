import type { HostOverride } from '../../../shared/model/settings.ts';
import type { Route } from '../route/route.ts';
import type { UpstreamProxy } from './proxy/upstream-proxy.ts';

/** The target of a connection, with everything that decides whether two exchanges can share one. */
export interface Origin {
  scheme: 'http' | 'https';
  host: string;
  port: number;
  /** Sent as SNI and checked against the certificate; for an IP literal the literal, which is checked and not sent. */
  serverName: string;
  /**
   * Offered to upstream; empty: no ALPN. Without TLS nothing is offered: `h2` means that HTTP/2 is used at once (prior
   * knowledge; RFC 9113, section 3.3).
   */
  alpn: readonly string[];
  proxy: UpstreamProxy | null;
  /** The routes to attempt, in order, if the proxy cannot be reached; null: directly to the origin. */
  otherProxies: readonly (UpstreamProxy | null)[];
  /** Why this route was chosen, as text for the user. */
  reason: string;
  /** Settings for this host, or null. */
  override: HostOverride | null;
  /** Only addresses outside this machine: its client is another machine, and the user has not allowed more. */
  outward: boolean;
  key: string;
}

function wayKey(proxy: UpstreamProxy | null): string {
  return proxy ? `${proxy.label}|${proxy.login?.user ?? ''}` : '';
}

function overrideKey({ address, minTls, skipVerification, clientCertificate }: HostOverride): string {
  return `|${address}|${minTls}|${skipVerification}|${clientCertificate}`;
}

/** `route`: the route chosen for the origin. */
export function makeOrigin(
  of: Omit<Origin, 'key' | 'proxy' | 'otherProxies' | 'reason' | 'override' | 'outward'>,
  route: Route,
  outward = false,
): Origin {
  const { proxy, others, reason, override } = route;
  const serverName = override?.serverName || of.serverName;
  const ways = others.length === 0 ? wayKey(proxy) : [proxy, ...others].map(wayKey).join(',');
  const special = `${override ? overrideKey(override) : ''}${outward ? '|outward' : ''}`;
  const key = `${of.scheme}|${of.host}|${of.port}|${serverName}|${of.alpn.join(',')}|${ways}${special}`;
  return { ...of, serverName, proxy, otherProxies: others, reason, override, outward, key };
}

/**
 * Whether it needs a tunnel through a proxy: for TLS, and for HTTP/2, because no proxy accepts HTTP/2 requests in
 * absolute form.
 */
export function needsTunnel({ scheme, alpn }: Pick<Origin, 'scheme' | 'alpn'>): boolean {
  return scheme === 'https' || alpn.length > 0;
}

/** `host:port`, IPv6 in brackets. */
export function addressOf(to: { host: string; port: number }): string {
  return to.host.includes(':') ? `[${to.host}]:${to.port}` : `${to.host}:${to.port}`;
}

/** Where to connect for the origin: its host, or the address that its settings use instead of DNS. */
export function placeOf({ host, port, override }: Origin): { host: string; port: number } {
  return { host: override?.address || host, port };
}
