import http2 from 'node:http2';
import https from 'node:https';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { listen } from './listen.ts';
import { testCa } from './test-ca.ts';

/** One pixel, a GIF of 43 bytes. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** A page of 1,000 images, each its own request, and no favicon. */
function page(images: number): string {
  const tags = Array.from(
    { length: images },
    (_each, index) => `<img src="/image-${index}.gif" width="4" height="4" alt="">`,
  );
  return `<!doctype html><title>Images</title><link rel="icon" href="data:,">${tags.join('')}`;
}

export interface ImageOrigin {
  url: string;
  caPath: string;
  close(): void;
}

/** A real HTTPS origin of `images` images, over h1 or h2. */
export async function imageOrigin(protocol: 'h1' | 'h2', images: number): Promise<ImageOrigin> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const html = page(images);
  const contentOf = (path: string): { type: string; body: Buffer | string } =>
    path === '/' ? { type: 'text/html; charset=utf-8', body: html } : { type: 'image/gif', body: PIXEL };
  const tls = {
    SNICallback: (name: string, done: (error: null, context: ReturnType<typeof leaves.contextFor>) => void) =>
      done(null, leaves.contextFor(name)),
  };
  const server =
    protocol === 'h1'
      ? https.createServer(tls, (request, response) => {
          const { type, body } = contentOf(request.url ?? '');
          response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
        })
      : http2.createSecureServer(tls).on('stream', (stream, headers) => {
          const { type, body } = contentOf(String(headers[':path']));
          stream.on('error', () => {});
          stream.respond({ ':status': 200, 'content-type': type, 'cache-control': 'no-store' });
          stream.end(body);
        });
  const port = await listen(server);
  return {
    url: `https://localhost:${port}/`,
    caPath: ca.certificatePath,
    close: () => {
      server.close();
      remove();
    },
  };
}
