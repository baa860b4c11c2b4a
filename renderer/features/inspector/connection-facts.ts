import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';

type Known = Pick<Exchange, 'route'> & { request: Pick<Exchange['request'], 'scheme'> };

/** Label and value of each row; a null value hides the row. `exchange`: one of those that the connection carried. */
export function connectionFacts(connection: ConnectionInfo, exchange: Known): [string, string | null][] {
  const { id, protocol, localAddress, remoteAddress, reused, tls, via } = connection;
  return [
    // The filter `connection:` takes this id. Other programs' files have none: it is then 0.
    ['Connection', id === 0 ? 'unknown' : `${id}, ${reused ? 'reused' : 'new'}`],
    ['Protocol', protocol],
    ['Local address', localAddress],
    ['Remote address', remoteAddress],
    ['Proxy', via],
    ['TLS', tls ? `${tls.version}${tls.resumed ? ', resumed' : ''}` : withoutTls(exchange)],
    ['Cipher', tls?.cipher ?? null],
    ['ALPN', tls?.alpn ?? null],
    ['Server name', tls?.serverName ?? null],
  ];
}

/** Other programs' files have neither a route nor the facts of TLS. */
function withoutTls({ route, request }: Known): string {
  return route === null && request.scheme === 'https' ? 'unknown' : 'none';
}

/** In place of a connection upstream. */
export function withoutUpstream({ client, route }: Pick<Exchange, 'client' | 'route'>): string {
  return client.id === 0 && route === null ? 'Unknown upstream connection' : 'No upstream connection';
}
