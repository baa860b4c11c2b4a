import type { IncomingMessage, ServerResponse } from 'node:http';
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { LeafCertificates } from '../../../electron/engine/tls/leaf-certificates.ts';
import { listenInTest } from '../listen-in-test.ts';
import { testCa } from '../test-ca.ts';
import { pageScript, WORKER_SCRIPT } from './app-scripts.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const TEXT = /^text\/|javascript|json/;
const ETAG = '"v1"';

interface Content {
  type: string;
  body: string | Buffer;
  cache?: string;
  status?: number;
  fields?: Record<string, string>;
  /** Milliseconds until it. */
  delay?: number;
}

const data = (value: unknown, delay = 3): Content => ({
  ...{ type: 'application/json', body: JSON.stringify(value), cache: 'no-store', delay },
});

function pageOf(app: string, api: string): Content {
  const images = [1, 2, 3, 4, 5, 6].map((of) => `<img src="/img/${of}.5f3a9c1e.webp" alt="">`).join('');
  const assets =
    '<link rel="stylesheet" href="/assets/app.5f3a9c1e.css"><script src="/assets/app.5f3a9c1e.js"></script>';
  const head = `<!doctype html><title>${app}</title><link rel="icon" href="data:,">${assets}`;
  const body = `${images}<p>${'An app that behaves well. '.repeat(150)}</p><script>${pageScript(app, api)}</script>`;
  return { type: 'text/html; charset=utf-8', body: head + body, cache: 'no-cache', fields: { etag: ETAG } };
}

/** For a page of any origin, with its user's credentials. */
function corsOf(origin: string | undefined): Record<string, string> {
  if (origin === undefined) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'content-type, authorization',
    'access-control-max-age': '7200',
    vary: 'accept-encoding, origin',
  };
}

/** By the beginning of the path; the first that fits. */
const ROUTES: readonly [RegExp, (match: RegExpExecArray, query: URLSearchParams) => Content][] = [
  [/^\/worker\.js$/, () => ({ type: 'text/javascript', body: WORKER_SCRIPT, cache: 'no-cache' })],
  [/^\/assets\/.*\.css$/, () => ({ type: 'text/css', body: 'p { margin: 0 }\n'.repeat(300), cache: FOREVER })],
  [/^\/assets\//, () => ({ type: 'text/javascript', body: '// A comment.\n'.repeat(400), cache: FOREVER })],
  [/^\/(?:img|photos)\//, () => ({ type: 'image/webp', body: Buffer.alloc(9000, 7), cache: FOREVER })],
  [/^\/film/, () => ({ type: 'video/webm', body: Buffer.alloc(65_536, 7), status: 206, cache: FOREVER })],
  [/^\/segments\//, () => ({ type: 'video/mp4', body: Buffer.alloc(90_000, 7), cache: FOREVER })],
  [/^\/tiles\//, () => ({ type: 'application/vnd.mapbox-vector-tile', body: Buffer.alloc(9000, 7), cache: FOREVER })],
  [/^\/status/, (_match, query) => data({ at: query.get('at') })],
  [/^\/news/, (_match, query) => data({ next: Number(query.get('after')) + 1 }, 70)],
  [/^\/feed/, (_match, query) => data({ next: Number(query.get('after')) + 10, items: Array(40).fill('item') }, 60)],
  [/^\/search/, (_match, query) => data([query.get('q')], 40)],
  [/^\/graphql/, () => data({ data: {} }, 60)],
  [/^\/orders/, () => data({ ok: true }, 40)],
  [/^\/uploads\//, () => data({ ok: true }, 20)],
  [/^\/(?:data|items|widgets)\//, ([path]) => data({ path }, 60)],
  [/^\/beacon/, () => ({ type: 'text/plain', body: '', status: 204, cache: 'no-store' })],
];

function contentOf(url: URL, api: string): Content {
  for (const [pattern, make] of ROUTES) {
    const match = pattern.exec(url.pathname);
    if (match) return make(match, url.searchParams);
  }
  return pageOf(url.pathname.replace('/apps/', ''), api);
}

type Request = Http2ServerRequest | IncomingMessage;
type Response = Http2ServerResponse | ServerResponse;

/** Twenty events, then the end. */
async function sendEvents(response: Response): Promise<void> {
  const write = (text: string) => void (response as ServerResponse).write(text);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  for (let turn = 0; turn < 20 && !response.destroyed; turn++) {
    write(`data: ${turn}\n\n`);
    await wait(10);
  }
  write('event: end\ndata: .\n\n');
}

async function serve(request: Request, response: Response, api: string): Promise<void> {
  request.resume();
  if (request.url === '/events') return await sendEvents(response);
  const {
    type,
    body,
    cache = 'no-store',
    status = 200,
    fields = {},
    delay = 3,
  } = contentOf(new URL(request.url ?? '/', api), api);
  await wait(delay);
  if (response.destroyed) return;
  const allowed = corsOf(request.headers.origin);
  if (request.method === 'OPTIONS') return void response.writeHead(204, allowed).end();
  if (fields.etag !== undefined && request.headers['if-none-match'] === fields.etag)
    return void response.writeHead(304, { etag: fields.etag, 'cache-control': cache }).end();
  const isText = TEXT.test(type) && status === 200;
  const coding = isText ? { 'content-encoding': 'br', vary: 'accept-encoding' } : {};
  response.writeHead(status, { 'content-type': type, 'cache-control': cache, ...coding, ...allowed, ...fields });
  response.end(isText ? brotliCompressSync(body) : body);
}

export interface GoodApps {
  /** `https://shop.localhost:PORT/apps/`, for the name of an app behind it. */
  shop: string;
  caPath: string;
}

/** Apps over HTTP/2 that use the network well: no rule of shared/insight may report one. */
export async function goodAppsOrigin(): Promise<GoodApps> {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  const server = http2.createSecureServer({
    allowHTTP1: true,
    SNICallback: (name, done) => done(null, leaves.contextFor(name)),
  });
  const chat = new WebSocketServer({ noServer: true, perMessageDeflate: { threshold: 0 } });
  chat.on('connection', (socket) => socket.on('message', () => socket.send('y'.repeat(8000))));
  server.on('upgrade', (request, socket, head) =>
    chat.handleUpgrade(request, socket, head, (one) => chat.emit('connection', one)),
  );
  const port = await listenInTest(server);
  const api = `https://api.localhost:${port}`;
  server.on('request', (request: Request, response: Response) => void serve(request, response, api));
  onTestFinished(remove);
  return { shop: `https://shop.localhost:${port}/apps/`, caPath: ca.certificatePath };
}
