import http2, { type Http2ServerResponse } from 'node:http2';
import { brotliCompressSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { LeafCertificates } from '../../electron/engine/tls/leaf-certificates.ts';
import { listenInTest } from './listen-in-test.ts';
import { testCa } from './test-ca.ts';

const FOREVER = 'public, max-age=31536000, immutable';
/** One pixel, a GIF of 43 bytes. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const IMAGES = [1, 2, 3, 4].map((n) => `<img src="/${n}.5f3a9c1e.gif" alt="">`).join('');
const HTML = `<!doctype html><title>Good</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.5f3a9c1e.css"><script defer src="/app.5f3a9c1e.js"></script>${IMAGES}
<p>${'A page that loads as it should. '.repeat(200)}</p>`;
const SCRIPT =
  "fetch('/list').then((list) => list.json()).then(() => { document.title = 'Loaded'; });\n" +
  `${'// A comment.\n'.repeat(500)}`;

const TEXTS: Record<string, { type: string; cache: string; text: string }> = {
  '/': { type: 'text/html; charset=utf-8', cache: 'no-cache', text: HTML },
  '/style.5f3a9c1e.css': { type: 'text/css', cache: FOREVER, text: 'p { margin: 0 }\n'.repeat(300) },
  '/app.5f3a9c1e.js': { type: 'text/javascript', cache: FOREVER, text: SCRIPT },
  '/list': { type: 'application/json', cache: 'no-store', text: JSON.stringify(Array(300).fill('item')) },
};

function respond(path: string, response: Http2ServerResponse): void {
  const found = TEXTS[path];
  if (found === undefined) {
    response.writeHead(200, { 'content-type': 'image/gif', 'cache-control': FOREVER });
    response.end(PIXEL);
    return;
  }
  const { type, cache, text } = found;
  response.writeHead(200, {
    'content-type': type,
    'cache-control': cache,
    'content-encoding': 'br',
    vary: 'accept-encoding',
  });
  response.end(brotliCompressSync(text));
}

/** A page over HTTP/2 that follows the rules of shared/insight. `url` ends without a slash. */
export async function goodPageOrigin(): Promise<{ url: string; caPath: string }> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const server = http2.createSecureServer({ SNICallback: (name, done) => done(null, leaves.contextFor(name)) });
  server.on('request', (request, response) => respond(request.url, response));
  const port = await listenInTest(server);
  onTestFinished(remove);
  return { url: `https://localhost:${port}`, caPath: ca.certificatePath };
}
