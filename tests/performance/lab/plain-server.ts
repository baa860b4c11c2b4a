/**
 * The plain servers that the lab is compared with, in their own process:
 * `node tests/performance/lab/plain-server.ts CA-FOLDER IMAGES BYTES RTT,...`. For each protocol and round-trip time
 * one server of node:https or node:http2 as its documentation writes it. Prints their ports as a line of JSON: `{"http1
 * 0":40001,...}`.
 */
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import type { SecureContext } from 'node:tls';
import { openCertificateAuthority } from '../../../electron/engine/ca/certificate-authority.ts';
import { LeafCertificates } from '../../../electron/engine/tls/leaf-certificates.ts';
import { Link } from '../../../electron/lab/link/link.ts';
import { LinkStream } from '../../../electron/lab/link/link-stream.ts';
import { listen } from '../../support/listen.ts';
import { imagePath, imagesDocument, pngOf } from './image-page.ts';

const [folder = '', images = '', size = '', rtts = ''] = process.argv.slice(2);
const document = imagesDocument(Number(images));
/** Each image has its own bytes, as files have: one buffer for all would stay in the processor's cache. */
const contents = new Map<string, Buffer>();
for (let index = 0; index < Number(images); index += 1) contents.set(imagePath(index), pngOf(Number(size)));

function contentOf(path: string | undefined): { status: number; type: string; body: string | Buffer } {
  if (path === '/') return { status: 200, type: 'text/html', body: document };
  const image = contents.get(path ?? '');
  if (image !== undefined) return { status: 200, type: 'image/png', body: image };
  return { status: 404, type: 'text/plain', body: '' };
}

/** `timing-allow-origin` as in the replay: it is part of what both send. */
function headOf(type: string, body: string | Buffer) {
  return { 'content-type': type, 'content-length': Buffer.byteLength(body), 'timing-allow-origin': '*' };
}

function http1Server(secureContext: SecureContext): https.Server {
  const SNICallback = (_name: string, done: (error: null, context: SecureContext) => void) => done(null, secureContext);
  return https.createServer({ SNICallback }, (request, response) => {
    const { status, type, body } = contentOf(request.url);
    response.writeHead(status, headOf(type, body)).end(body);
  });
}

function http2Server(secureContext: SecureContext): http2.Http2SecureServer {
  const SNICallback = (_name: string, done: (error: null, context: SecureContext) => void) => done(null, secureContext);
  return http2.createSecureServer({ SNICallback }, (request, response) => {
    const { status, type, body } = contentOf(request.url);
    response.writeHead(status, headOf(type, body)).end(body);
  });
}

/** A listener that hands its connections to `server`, each behind an emulated network with this round-trip time. */
function distant(server: net.Server, rtt: number): net.Server {
  // A load has the link for itself, because loads run in sequence.
  const link = new Link({ rtt, bandwidth: 0, nagle: false });
  return net.createServer((socket) => server.emit('connection', new LinkStream(socket.setNoDelay(true), link)));
}

const authority = await openCertificateAuthority(folder);
const context = new LeafCertificates({ ...authority, folder: null }).contextFor('localhost');
const ports: Record<string, number> = {};
for (const rtt of rtts.split(',').map(Number)) {
  for (const [protocol, make] of Object.entries({ http1: http1Server, http2: http2Server })) {
    const server = make(context).on('tlsClientError', () => undefined);
    ports[`${protocol} ${rtt}`] = await listen(rtt === 0 ? server : distant(server, rtt));
  }
}
process.stdout.write(`${JSON.stringify(ports)}\n`);
// The parent's end ends it too.
process.stdin.resume().once('end', () => process.exit(0));
