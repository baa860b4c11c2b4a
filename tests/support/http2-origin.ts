import http2 from 'node:http2';
import { onTestFinished } from 'vitest';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { listen } from './listen.ts';
import { testCa } from './test-ca.ts';

export type Http2Responder = (
  stream: http2.ServerHttp2Stream,
  headers: http2.IncomingHttpHeaders,
  raw: string[],
) => void;

export interface Http2Origin {
  url: string;
  port: number;
  caPath: string;
  caPem: string;
  server: http2.Http2SecureServer;
}

/** A real HTTP/2 server on loopback, with HTTP/1.1 for clients that choose it. */
export async function http2Origin(
  respond: Http2Responder,
  { http1 = false, settings = {} }: { http1?: boolean; settings?: http2.Settings } = {},
): Promise<Http2Origin> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const server = http2.createSecureServer({
    SNICallback: (name, done) => done(null, leaves.contextFor(name)),
    allowHTTP1: http1,
    settings,
  });
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on('session', (session) => sessions.add(session));
  server.on(
    'stream',
    (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, _flags: number, raw: string[]) => {
      stream.on('error', () => {});
      respond(stream, headers, raw);
    },
  );
  // A listener for requests brings node's compatibility layer, which answers for the streams' trailers too.
  if (http1) {
    server.on('request', (request, response) => {
      if (request.httpVersionMajor === 1) {
        request.resume().on('end', () => response.end(`${request.method} over HTTP/1.1`));
      }
    });
  }
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    for (const session of sessions) session.destroy();
    remove();
  });
  return { url: `https://localhost:${port}`, port, caPath: ca.certificatePath, caPem: ca.certificatePem, server };
}
