import { setTimeout as wait } from 'node:timers/promises';
import zlib from 'node:zlib';
import { picture } from './picture.ts';
import { type Addresses, filler, PRODUCTS, page, script } from './shop-pages.ts';

export interface Content {
  status: number;
  type: string;
  body: Buffer;
  headers?: Record<string, string>;
  /** Milliseconds that the server takes for its first byte. */
  delay: number;
  /** Milliseconds between the pieces of the body; 0: all at once. */
  pause?: number;
  pieces?: number;
}

function text(type: string, body: string, delay: number, coding: 'gzip' | 'br' | 'zstd' | null): Content {
  const plain = Buffer.from(body);
  const coded = { gzip: zlib.gzipSync, br: zlib.brotliCompressSync, zstd: zlib.zstdCompressSync };
  return {
    status: 200,
    type,
    body: coding ? coded[coding](plain) : plain,
    headers: coding ? { 'content-encoding': coding, vary: 'accept-encoding' } : {},
    delay,
  };
}

function json(value: unknown, delay: number, status = 200, coding: 'gzip' | 'br' | 'zstd' | null = null): Content {
  return { ...text('application/json; charset=utf-8', JSON.stringify(value), delay, coding), status };
}

/** Created in advance: a picture takes longer to create than to serve. */
const PICTURES = new Map(PRODUCTS.map(({ slug }, seed) => [slug, { seed, body: picture(560, 400, seed) }]));

function image({ seed, body }: { seed: number; body: Buffer }): Content {
  return {
    status: 200,
    type: 'image/png',
    body,
    delay: 18 + ((seed * 53) % 90),
    pause: 14 + (seed % 4) * 9,
    pieces: 5,
  };
}

function stream(): Content {
  const events = PRODUCTS.map(({ slug, stock }) => `event: stock\ndata: ${JSON.stringify({ slug, stock })}\n\n`);
  const body = Buffer.from(`${events.join('')}event: end\ndata: {}\n\n`);
  return { status: 200, type: 'text/event-stream', body, delay: 30, pause: 120, pieces: 9 };
}

/** Some 3 MB of text. */
function catalogue(): string {
  return Array.from(
    { length: 60_000 },
    (_each, index) => `${index + 1},item-${index + 1},${(index * 7) % 400} EUR,warehouse-${index % 9}`,
  ).join('\n');
}

type Route = (addresses: Addresses) => Content;

const ERROR = { error: 'payment_unavailable', message: 'The payment provider did not answer.', trace: 'a41f-77c2' };

const ROUTES: Record<string, Route> = {
  'GET shop /': () => text('text/html; charset=utf-8', page('New this week'), 64, 'br'),
  'GET shop /lamps': () => text('text/html; charset=utf-8', page('Lamps'), 92, 'br'),
  'GET shop /assets/shop.81d2.css': () => text('text/css', filler('css', 9_000), 16, 'gzip'),
  'GET shop /assets/vendor.c07a.js': () => ({
    ...text('text/javascript', filler('js', 420_000), 22, 'gzip'),
    pause: 22,
    pieces: 4,
  }),
  'GET shop /assets/shop.5be1.js': (addresses) => text('text/javascript', script(addresses), 20, 'br'),
  'GET shop /sale': () => ({
    status: 301,
    type: 'text/html',
    body: Buffer.alloc(0),
    headers: { location: '/lamps' },
    delay: 9,
  }),
  'GET api /v1/session': () => json({ visitor: 'v-4821', currency: 'EUR', locale: 'en' }, 38),
  'GET api /v1/products': () => json({ items: PRODUCTS, total: 214, next: '/v1/products?page=2' }, 145, 200, 'zstd'),
  'GET api /v1/products/arc-lamp': () => json({ ...PRODUCTS[0], reviews: { count: 318, average: 4.6 } }, 57, 200, 'br'),
  'GET api /v1/cart': () => json({ id: 'c-9917', items: [] }, 24),
  'GET api /v1/recommendations': () => json({ error: 'not_found', message: 'No profile for this visitor.' }, 31, 404),
  'POST api /v1/cart/items': () => json({ id: 'c-9917', items: [{ slug: 'arc-lamp', quantity: 1 }] }, 83, 201),
  'GET api /v1/search': () => json({ hits: PRODUCTS.slice(0, 3), took: 612 }, 640, 200, 'gzip'),
  'POST api /v1/checkout': () => json(ERROR, 380, 500),
  'GET api /v1/catalogue.csv': () => text('text/csv', catalogue(), 5, 'gzip'),
  'GET api /v1/stock/stream': stream,
};

/** The shop's response to `method` on `host` (its first label) and `path`. */
export function contentOf(method: string, host: string, path: string, addresses: Addresses): Content {
  const slug = /^\/products\/(.+)\.png$/.exec(path)?.[1];
  const drawn = PICTURES.get(slug ?? '');
  if (host === 'images' && drawn) return image(drawn);
  if (method === 'OPTIONS') return { status: 204, type: 'text/plain', body: Buffer.alloc(0), delay: 7 };
  const route = ROUTES[`${method} ${host} ${path.split('?')[0]}`];
  return route ? route(addresses) : json({ error: 'not_found' }, 6, 404);
}

/** Sends it at its stated pace. */
export async function send(content: Content, write: (piece: Buffer) => void): Promise<void> {
  const pieces = content.pieces ?? 1;
  const length = Math.ceil(content.body.length / pieces);
  for (let at = 0; at < content.body.length; at += length) {
    if (at > 0) await wait(content.pause ?? 0);
    write(content.body.subarray(at, at + length));
  }
}
