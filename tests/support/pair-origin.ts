import type http from 'node:http';
import http2 from 'node:http2';
import { onTestFinished } from 'vitest';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { listenInTest } from './listen-in-test.ts';
import { testCa } from './test-ca.ts';

/** One request as an origin got it. */
export interface Received {
  method: string;
  path: string;
  /** `1.1` or `2.0`. */
  version: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  trailers: http.IncomingHttpHeaders;
}

export type Respond = (response: http.ServerResponse, received: Received) => void;

export interface PairOrigin {
  port: number;
  caPath: string;
  /** In the order of their ends. */
  received: Received[];
  /** Requests that ended before their end arrived. */
  cut: string[];
}

/** Ends a response before its end: its connection, or its stream. */
export function cutOff(response: http.ServerResponse | http2.Http2ServerResponse): void {
  if ('stream' in response) response.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
}

/** A server of HTTP/1.1 and HTTP/2 over TLS. */
export async function pairOrigin(respond: Respond): Promise<PairOrigin> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const server = http2.createSecureServer({
    SNICallback: (name, done) => done(null, leaves.contextFor(name)),
    allowHTTP1: true,
  });
  const made = listener(respond);
  // Both kinds of message have the members used here.
  server.on('request', (request, response) => made.listen(request as never, response as never));
  const port = await listenInTest(server);
  onTestFinished(remove);
  return { port, caPath: ca.certificatePath, received: made.received, cut: made.cut };
}

function listener(respond: Respond) {
  const received: Received[] = [];
  const cut: string[] = [];
  const listen = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const pieces: Buffer[] = [];
    const { method = '', url: path = '', httpVersion: version, headers } = request;
    const about = `${method} ${path}`;
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('error', () => {});
    response.on('error', () => {});
    response.on('close', () => {
      if (!response.writableEnded) cut.push(about);
    });
    request.on('end', () => {
      const one = { method, path, version, headers, body: Buffer.concat(pieces), trailers: request.trailers };
      received.push(one);
      respond(response, one);
    });
  };
  return { listen, received, cut };
}
