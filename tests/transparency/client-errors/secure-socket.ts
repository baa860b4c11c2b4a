import { once } from 'node:events';
import net from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { openTunnel } from '../../support/tunnel.ts';
import type { Target } from './client.ts';

/** TLS to the target, its ALPN h2. */
export async function secureSocket({ port, caPem, proxyPort }: Target): Promise<TLSSocket> {
  const authority = `localhost:${port}`;
  const socket = proxyPort === null ? net.connect(port, '127.0.0.1') : await openTunnel({ port: proxyPort }, authority);
  const secure = tls.connect({ socket, servername: 'localhost', ca: caPem, ALPNProtocols: ['h2'] });
  secure.on('error', () => {});
  await once(secure, 'secureConnect');
  return secure;
}
