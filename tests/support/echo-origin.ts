import type { IncomingMessage, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import { PassThrough, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { onTestFinished } from 'vitest';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { listenInTest } from './listen-in-test.ts';
import { testCa } from './test-ca.ts';

/** What the origin received, in its response to /echo. */
export interface Echo {
  method: string;
  url: string;
  version: string;
  headers: Record<string, string>;
  body: string;
}

export interface EchoOrigin {
  port: number;
  caPath: string;
  /** Method and path of all requests, in the order of their ends. */
  requests: string[];
}

const ENCODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  zstd: zlib.zstdCompressSync,
};
/** Of event streams: each write can be read at once. */
export const STREAM_ENCODERS: Record<string, () => Transform> = {
  gzip: () => zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => zlib.createDeflate({ flush: zlib.constants.Z_SYNC_FLUSH }),
  br: () => zlib.createBrotliCompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => zlib.createZstdCompress({ flush: zlib.constants.ZSTD_e_flush }),
};
const PAGE = JSON.stringify({ animal: 'cat', count: 1, list: ['a', 'b'] });

function respond(request: IncomingMessage, response: ServerResponse, body: string): void {
  const [, kind = '', rest = '', coding = ''] = (request.url ?? '').split(/[/?]/);
  if (kind === 'coded') {
    const bytes = ENCODERS[rest]?.(Buffer.from(PAGE)) ?? Buffer.from(PAGE);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': rest }).end(bytes);
  } else if (kind === 'chunked') {
    response.writeHead(200, { 'content-type': 'text/plain', trailer: 'x-sum' });
    for (const piece of ['the cat ', 'and the ', 'cat']) response.write(piece);
    response.addTrailers({ 'x-sum': '3' });
    response.end();
  } else if (kind === 'hints') {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(200, { 'content-type': 'text/plain' }).end('the cat');
  } else if (kind === 'size') {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': rest }).end('x'.repeat(Number(rest)));
  } else if (kind === 'status') {
    response.writeHead(Number(rest)).end();
  } else if (kind === 'events') {
    response.writeHead(200, { 'content-type': 'text/event-stream', ...(coding && { 'content-encoding': coding }) });
    const events = new PassThrough();
    (coding in STREAM_ENCODERS ? events.pipe(STREAM_ENCODERS[coding]?.() as Transform) : events).pipe(response);
    for (let event = 1; event <= Number(rest); event += 1) {
      // In pieces that are not events.
      for (const piece of [`id: ${event}\nda`, `ta: {"animal":"cat","n":${event}}\n`, '\n: alive\n\n'])
        events.write(piece);
    }
    events.end('data: cat\n\n');
  } else if (kind === 'grpc') {
    response.writeHead(200, { 'content-type': 'application/grpc', trailer: 'grpc-status' });
    response.write(body);
    response.addTrailers({ 'grpc-status': '0' });
    response.end();
  } else {
    const { method, url, headers, httpVersion: version } = request;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ method, url, version, headers, body }));
  }
}

/** A server of HTTP/1.1 and HTTP/2 over TLS that responds with what it received, or with bodies of several kinds. */
export async function echoOrigin(): Promise<EchoOrigin> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const server = http2.createSecureServer({
    SNICallback: (name, done) => done(null, leaves.contextFor(name)),
    allowHTTP1: true,
  });
  const requests: string[] = [];
  server.on('request', (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request
      .on('error', () => {})
      .on('end', () => {
        requests.push(`${request.method} ${request.url}`);
        respond(request as unknown as IncomingMessage, response as unknown as ServerResponse, body);
      });
  });
  const port = await listenInTest(server);
  onTestFinished(remove);
  return { port, caPath: ca.certificatePath, requests };
}
