import http from 'node:http';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { CertificateAuthority } from '../../electron/engine/ca/certificate-authority.ts';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { listenInTest } from './listen-in-test.ts';

export interface InterceptingProxy {
  url: string;
  /** `GET https://a.test/path`, in order of arrival. */
  seen: string[];
  /** Resolves when a request with this text has been seen. */
  sees(text: string): Promise<void>;
}

/**
 * The minimum for a client to be intercepted: CONNECT to any host ends here, in TLS with our leaves, and every request
 * gets a page (with `html` in it). It stands in for the engine in tests of what surrounds it.
 */
export async function interceptingProxy(ca: CertificateAuthority, html = ''): Promise<InterceptingProxy> {
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const seen: string[] = [];
  const waiting: { text: string; resolve: () => void }[] = [];
  const authorities = new WeakMap<Socket, string>();
  const page = http.createServer((request, response) => {
    const authority = authorities.get(request.socket);
    seen.push(`${request.method} ${authority === undefined ? request.url : `https://${authority}${request.url}`}`);
    for (const one of waiting) if (seen.at(-1)?.includes(one.text)) one.resolve();
    response.setHeader('connection', 'close');
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>intercepted</title>intercepted ${html}`);
  });
  page.on('connect', (request, socket: Socket) => {
    const authority = (request.url ?? '').replace(/:443$/, '');
    const host = (request.url ?? '').replace(/:\d+$/, '');
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    const secured = new tls.TLSSocket(socket, { isServer: true, secureContext: leaves.contextFor(host) });
    secured.on('error', () => socket.destroy());
    authorities.set(secured, authority);
    page.emit('connection', secured);
  });
  page.on('connection', (socket: Socket) => void socket.on('error', () => socket.destroy()));
  const port = await listenInTest(page);
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    sees: (text) =>
      new Promise((resolve) => {
        if (seen.some((one) => one.includes(text))) resolve();
        else waiting.push({ text, resolve });
      }),
  };
}
