import { once } from 'node:events';
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { LeafCertificates } from '../../../electron/engine/tls/leaf-certificates.ts';
import { testCa } from '../test-ca.ts';
import type { Addresses } from './shop-pages.ts';
import { contentOf, send } from './shop-routes.ts';

export interface ShopOrigin extends Addresses {
  caPath: string;
  close(): void;
}

/** Milliseconds that its TLS takes, which makes a handshake visible next to what follows it. */
const HANDSHAKE = 26;

async function respond(
  request: Http2ServerRequest,
  response: Http2ServerResponse,
  addresses: Addresses,
): Promise<void> {
  const host = (request.authority || request.headers.host || '').split('.')[0] ?? '';
  const said = contentOf(request.method, host, request.url, addresses);
  await wait(said.delay);
  if (response.destroyed) return;
  response.writeHead(said.status, {
    'content-type': said.type,
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
    server: 'northlight/2.4',
    ...said.headers,
  });
  await send(said, (piece) => void (response.destroyed || response.write(piece)));
  response.end();
}

/**
 * A small shop on three names below localhost: pages and API over HTTP/2, pictures over HTTP/1.1. On port 443 if that
 * is allowed and free: its addresses then look ordinary.
 */
export async function shopOrigin(): Promise<ShopOrigin> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const server = http2.createSecureServer({
    allowHTTP1: true,
    ALPNCallback: ({ servername, protocols }) =>
      protocols.includes('h2') && !servername.startsWith('images.') ? 'h2' : 'http/1.1',
    SNICallback: (name, done) => setTimeout(() => done(null, leaves.contextFor(name)), HANDSHAKE),
  });
  const port = await listen(server);
  const at = (name: string) => `https://${name}.localhost${port === 443 ? '' : `:${port}`}`;
  const addresses = {
    shop: at('shop'),
    api: at('api'),
    images: at('images'),
    metrics: 'https://metrics.localhost:8443',
  };
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => sessions.add(session));
  server.on('request', (request, response) => void respond(request, response, addresses));
  return {
    ...addresses,
    caPath: ca.certificatePath,
    close: () => {
      server.close();
      for (const session of sessions) session.destroy();
      remove();
    },
  };
}

async function listen(server: http2.Http2SecureServer): Promise<number> {
  for (const port of [443, 0]) {
    server.listen(port, '127.0.0.1');
    const ready = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (ready) return (server.address() as AddressInfo).port;
  }
  throw new Error('The shop found no port to listen on.');
}
