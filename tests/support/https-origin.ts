import type { RequestListener } from 'node:http';
import https from 'node:https';
import { onTestFinished } from 'vitest';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { listenInTest } from './listen-in-test.ts';
import { testCa } from './test-ca.ts';

export interface HttpsOrigin {
  /** `https://localhost:PORT`. */
  url: string;
  port: number;
  server: https.Server;
  /** The file to trust it by. */
  caPath: string;
  /** `GET /path`, in order of arrival. */
  seen: string[];
}

/** A real HTTPS server on loopback, with a certificate from its own CA. Answers `hello` by default. */
export async function httpsOrigin(
  respond: RequestListener = (_request, response) => response.end('hello'),
): Promise<HttpsOrigin> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const seen: string[] = [];
  const server = https.createServer({
    SNICallback: (name, done) => done(null, leaves.contextFor(name)),
  });
  server.on('request', (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    respond(request, response);
  });
  const port = await listenInTest(server);
  onTestFinished(remove);
  return { url: `https://localhost:${port}`, port, server, caPath: ca.certificatePath, seen };
}
