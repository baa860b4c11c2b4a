import type { UpstreamProxy } from './upstream-proxy.ts';

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
  const key = `${of.scheme}|${of.host}|${of.port}|${of.serverName}|${of.alpn.join(',')}|${of.proxy ? `${of.proxy.label}|${of.proxy.login?.user ?? ''}` : ''}`;
  return { ...of, key };
}

/** `host:port`, IPv6 in brackets. */
export function addressOf(to: { host: string; port: number }): string {
  return to.host.includes(':') ? `[${to.host}]:${to.port}` : `${to.host}:${to.port}`;
}
