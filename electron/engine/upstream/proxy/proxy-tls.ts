import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { describe, failure, systemCode } from '../../../failures/errors.ts';
import { rememberBelow } from '../../tls/reset-below.ts';
import { tlsHandshake } from '../connect/tls-handshake.ts';
import { addressOf } from '../origin.ts';
import type { UpstreamTrust } from '../trust/server-trust.ts';
import { rememberPeer } from '../trust/server-trust-failure.ts';
import type { UpstreamProxy } from './upstream-proxy.ts';

/**
 * Opens verified TLS to the proxy itself over an open socket. `alpn`: the protocols offered. Rejects with a
 * ConnectionError.
 */
export async function openProxyTls(
  socket: Socket,
  proxy: UpstreamProxy,
  trust: UpstreamTrust,
  { alpn, timeLimit }: { alpn: readonly string[]; timeLimit: number },
): Promise<TLSSocket> {
  const address = addressOf(proxy);
  const secure = connect({
    socket,
    host: proxy.host,
    ...(isIP(proxy.host) === 0 && { servername: proxy.host }),
    ALPNProtocols: [...alpn],
    secureContext: trust.secureContext,
    checkServerIdentity: trust.checkServerIdentity,
  });
  rememberPeer(secure);
  rememberBelow(secure, socket);
  await tlsHandshake(secure, timeLimit, {
    failed: (error) => {
      // Set if the chain or the name was rejected; anything else is an error of the handshake itself.
      const untrusted = secure.authorizationError !== undefined && secure.authorizationError !== null;
      // Node adds advice about its own options after a semicolon.
      const detail = describe(error).split(';', 1)[0] ?? '';
      const code = untrusted ? 'proxy.tls-untrusted' : 'proxy.tls-handshake';
      return failure(code, { address, detail }, systemCode(error));
    },
    timedOut: () => failure('proxy.timeout', { address, seconds: timeLimit / 1000 }, 'ETIMEDOUT'),
  });
  return secure;
}
