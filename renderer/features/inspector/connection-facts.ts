import type { ConnectionInfo } from '../../../shared/model/connection.ts';

/** Label and value of each row; a null value hides the row. */
export function connectionFacts({
  id,
  protocol,
  localAddress,
  remoteAddress,
  reused,
  tls,
  via,
}: ConnectionInfo): [string, string | null][] {
  return [
    // The filter `connection:` takes this id.
    ['Connection', `${id}, ${reused ? 'reused' : 'new'}`],
    ['Protocol', protocol],
    ['Local address', localAddress],
    ['Remote address', remoteAddress],
    ['Proxy', via],
    ['TLS', tls ? `${tls.version}${tls.resumed ? ', resumed' : ''}` : 'none'],
    ['Cipher', tls?.cipher ?? null],
    ['ALPN', tls?.alpn ?? null],
    ['Server name', tls?.serverName ?? null],
  ];
}
