import http2 from 'node:http2';
import https from 'node:https';
import { WebSocketServer } from 'ws';
import { openCertificateAuthority } from '../../electron/engine/ca/certificate-authority.ts';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { listen } from '../support/listen.ts';
import { bodyOf, MESSAGES } from './plan.ts';

/** The origin process's output when it listens. */
export interface OriginReady {
  h1: number;
  h2: number;
  /** The file to trust it by. */
  caPath: string;
}

type Request = import('node:http').IncomingMessage | http2.Http2ServerRequest;
type Response = import('node:http').ServerResponse | http2.Http2ServerResponse;

async function respond(request: Request, response: Response): Promise<void> {
  const url = new URL(request.url ?? '/', 'https://localhost');
  const number = Number(url.searchParams.get('n'));
  let received = 0;
  for await (const piece of request) received += (piece as Buffer).length;
  // The compatibility API of HTTP/2 has the same methods, but the union of both types can't be called.
  const out = response as import('node:http').ServerResponse;
  out.setHeader('x-received', received);
  if (url.pathname === '/events') {
    out.setHeader('content-type', 'text/event-stream');
    for (let count = 0; count < MESSAGES; count += 1) {
      out.write(`id: ${count}\ndata: event ${count} of ${number}\n\n`);
      await new Promise((next) => setImmediate(next));
    }
    out.end();
    return;
  }
  const body = bodyOf(number);
  out.setHeader('content-type', 'application/json');
  out.setHeader('content-length', Buffer.byteLength(body));
  // For connections that end and begin, too.
  if (url.searchParams.has('close')) out.setHeader('connection', 'close');
  out.end(body);
}

/** Serves HTTPS on two ports of loopback. `folder`: for its CA. */
async function main(folder: string): Promise<void> {
  const ca = await openCertificateAuthority(folder);
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const SNICallback: https.ServerOptions['SNICallback'] = (name, done) => done(null, leaves.contextFor(name));
  const take = (request: Request, response: Response) => {
    respond(request, response).catch(() => request.destroy());
  };
  const h1 = https.createServer({ SNICallback, keepAliveTimeout: 60_000 }, take);
  const sockets = new WebSocketServer({ server: h1 });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data, { binary: false })));
  const h2 = http2.createSecureServer({ SNICallback }, take);
  const ready: OriginReady = { h1: await listen(h1), h2: await listen(h2), caPath: ca.certificatePath };
  console.log(JSON.stringify(ready));
}

await main(process.argv[2] ?? '.');
