import { SessionFiller } from '../../../electron/session/write/session-filler.ts';
import { SessionWriter } from '../../../electron/session/write/session-writer.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { TlsInfo } from '../../../shared/model/tls-info.ts';
import { exampleExchange } from '../../support/example-exchange.ts';

const START = 1_790_000_000_000;
const HOSTS = ['www.shop.test', 'api.shop.test', 'static.shop.test', 'fonts.cdn.test', 'ads.third.test'];
/** The requests of a page, in turn. */
const KINDS = [
  { dest: 'document', type: 'text/html; charset=utf-8', accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  { dest: 'script', type: 'text/javascript; charset=utf-8', accept: '*/*' },
  { dest: 'style', type: 'text/css; charset=utf-8', accept: 'text/css,*/*;q=0.1' },
  { dest: 'image', type: 'image/webp', accept: 'image/avif,image/webp,image/apng,image/svg+xml,*/*;q=0.8' },
  { dest: 'empty', type: 'application/json; charset=utf-8', accept: 'application/json, text/plain, */*' },
  { dest: 'font', type: 'font/woff2', accept: '*/*' },
  { dest: 'image', type: 'image/jpeg', accept: 'image/avif,image/webp,image/apng,image/svg+xml,*/*;q=0.8' },
  { dest: 'empty', type: 'application/json', accept: 'application/json' },
] as const;
/** Two of this many exchanges have a body. */
const WITH_BODY = 50;
const BODY = Buffer.from(JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id, name: `Item ${id}` }))));

/** A number from 0 to 1 that looks random, the same for the same id. */
function fraction(id: number): number {
  return ((id * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;
}

/** Hexadecimal digits that look random. */
function token(id: number, length: number): string {
  let text = '';
  for (let at = 1; text.length < length; at += 1) text += Math.floor(fraction(id * 31 + at) * 2 ** 32).toString(16);
  return text.slice(0, length);
}

function kindOf(id: number): (typeof KINDS)[number] {
  return KINDS[id % KINDS.length] ?? KINDS[0];
}

/** The fields that Chrome sends, in its order. */
function requestFields(id: number, host: string): string[] {
  const { dest, accept } = kindOf(id);
  const fields = {
    Host: host,
    'sec-ch-ua': '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Linux"',
    'User-Agent':
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    Accept: accept,
    'Sec-Fetch-Site': 'same-site',
    'Sec-Fetch-Mode': dest === 'document' ? 'navigate' : 'no-cors',
    'Sec-Fetch-Dest': dest,
    Referer: `https://${HOSTS[0]}/category/${(id >> 6) % 500}`,
    'Accept-Encoding': 'gzip, deflate, br, zstd',
    'Accept-Language': 'en-GB,en;q=0.9,de;q=0.8',
    Cookie: `session=${token(1 + (id >> 10), 64)}; consent=all; ab=${id % 2}; cart=${token(id >> 6, 32)}`,
    Priority: dest === 'document' ? 'u=0, i' : 'u=2',
  };
  return Object.entries(fields).flat();
}

/** The fields that a site behind a CDN sends. */
function responseFields(id: number): string[] {
  const fields = {
    Date: new Date(START + id * 4).toUTCString(),
    'Content-Type': kindOf(id).type,
    'Content-Length': String(Math.floor(fraction(id) * 60_000)),
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: `"${token(id, 32)}"`,
    'Last-Modified': new Date(START - (id % 1000) * 60_000).toUTCString(),
    'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload',
    'Content-Security-Policy': "default-src 'self' https://*.shop.test; img-src * data:; object-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding, Origin',
    Age: String(id % 3000),
    Via: '1.1 varnish, 1.1 edge-fra',
    'X-Cache': 'HIT, HIT',
    'X-Request-Id': token(id + 7, 32),
    'Server-Timing': `cdn-cache;desc=HIT, edge;dur=${(fraction(id) * 5).toFixed(1)}`,
    Server: 'edge',
  };
  return Object.entries(fields).flat();
}

function tlsOf(host: string): TlsInfo {
  const certificate = {
    subject: `CN=${host}`,
    issuer: 'C=US, O=Example Trust, CN=Example Trust E7',
    altNames: HOSTS.map((name) => `DNS:${name}`),
    serialNumber: token(host.length, 36).toUpperCase(),
    notBefore: '2026-10-01T00:00:00.000Z',
    notAfter: '2026-12-30T00:00:00.000Z',
    fingerprint: token(host.length, 64)
      .toUpperCase()
      .replace(/..(?!$)/g, '$&:'),
    keyType: 'ec',
  };
  return {
    version: 'TLSv1.3',
    cipher: 'TLS_AES_128_GCM_SHA256',
    alpn: 'h2',
    serverName: host,
    resumed: false,
    certificate,
  };
}

/** Connection ids: those of clients are even, those upstream odd. */
function connectionOf(id: number, sharing: number, side: 'client' | 'upstream'): ConnectionInfo {
  const host = HOSTS[id % HOSTS.length] ?? '';
  const ordinal = Math.floor(id / (sharing * HOSTS.length)) * HOSTS.length + (id % HOSTS.length);
  const port = 20_000 + (ordinal % 40_000);
  return {
    id: 2 + ordinal * 2 + (side === 'client' ? 0 : 1),
    protocol: 'h2',
    localAddress: side === 'client' ? '127.0.0.1:8866' : `192.0.2.1:${port}`,
    remoteAddress: side === 'client' ? `127.0.0.1:${port}` : '198.51.100.7:443',
    reused: id % (sharing * HOSTS.length) >= HOSTS.length,
    tls: side === 'client' ? { ...tlsOf(host), certificate: null } : tlsOf(host),
    via: null,
    end: { at: START + id * 4 + 60_000, by: 'upstream', why: 'goaway', code: 0, windowBlocked: 0 },
  };
}

function exchangeOf(id: number, size: number, sharing: number): Exchange {
  const at = fraction(id);
  const host = HOSTS[id % HOSTS.length] ?? '';
  const upstream = connectionOf(id, sharing, 'upstream');
  const opening = upstream.reused ? { dns: -1, connect: -1, ssl: -1 } : { dns: 2, connect: 21, ssl: 11 };
  return exampleExchange({
    id,
    startedAt: START + id * 4 + at,
    client: connectionOf(id, sharing, 'client'),
    upstream,
    attempts: [{ startedAfter: 0.1, duration: 60, connection: upstream, failure: null, retryReason: null }],
    request: {
      authority: host,
      host,
      path: `/assets/v${id % 3}/${kindOf(id).dest}/${token(id, 12)}?page=${id % 50}&sort=name`,
      headers: requestFields(id, host),
      headSize: 900,
    },
    response: { headers: responseFields(id), headSize: 800, body: { size, stored: 0, complete: true } },
    timings: { ...opening, wait: 20 + at * 60, receive: at * 20 },
  });
}

/**
 * A session like a browser's traffic with a shop: 30 fields in each exchange, `sharing` exchanges on a connection, and
 * texts as the bodies of a few.
 */
export class FindingsSession {
  readonly #writer: SessionWriter;
  readonly #filler: SessionFiller;
  readonly #sharing: number;
  #last = 0;

  constructor(file: string, sharing = 40) {
    this.#writer = SessionWriter.open(file);
    this.#filler = new SessionFiller(this.#writer);
    this.#sharing = sharing;
  }

  /** Writes exchanges until there are this many. */
  grow(exchanges: number): void {
    for (let id = this.#last + 1; id <= exchanges; id += 1) {
      const hasBody = id % WITH_BODY === 1 || id % WITH_BODY === 4;
      const exchange = exchangeOf(id, hasBody ? BODY.length : Math.floor(fraction(id) * 60_000), this.#sharing);
      this.#filler.add({ exchange, bodies: { request: null, response: hasBody ? [BODY] : null }, marks: [] });
    }
    this.#last = Math.max(this.#last, exchanges);
    this.#filler.flush();
  }

  close(): void {
    this.#writer.close();
  }
}

/** Writes a whole one. */
export function writeFindingsSession(file: string, exchanges: number, sharing = 40): void {
  const session = new FindingsSession(file, sharing);
  session.grow(exchanges);
  session.close();
}
