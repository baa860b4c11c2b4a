import fs from 'node:fs';
import http2 from 'node:http2';
import net, { type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_PROXY_FACTS } from '../../../shared/model/proxy/proxy-facts.ts';
import { DEFAULT_SETTINGS } from '../../../shared/model/settings.ts';
import { type CountingRelay, countingRelay } from '../../support/counting-relay.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { makeCertificate } from '../../support/openssl-certificates.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { HAS, nghttpx, type SquidScheme, squid } from '../../support/real-proxies.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LOGIN = 'ann:s3cret';

interface Behind {
  engine: TestEngine;
  relay: CountingRelay;
  settings: { proxyCaFiles: string[]; upstreamProxy: { enabled: boolean; url: string }; keepAlive: boolean };
}

/** An engine behind an nghttpx that speaks HTTP/2 with it, before a squid that requires the login. */
async function behindHttp2(scheme: SquidScheme, login = LOGIN): Promise<Behind> {
  const made = makeCertificate(temporaryFolder(), 'proxy', {
    commonName: 'roundtrip test h2 proxy',
    extensions: ['subjectAltName=DNS:localhost'],
  });
  const relay = await countingRelay(await nghttpx(await squid({ scheme, login: LOGIN }), made));
  const url = `https://${scheme === 'none' ? '' : `${login}@`}localhost:${relay.port}`;
  const settings = {
    proxyCaFiles: [made.certificate],
    upstreamProxy: { enabled: true, url },
    // A connection for each exchange: the tunnels are counted.
    keepAlive: false,
  };
  // A client that is slow to begin its TLS, as on a busy machine, would cost a connection to look who speaks first.
  return { engine: await testEngine(settings, { tunnelSilence: 60_000 }), relay, settings };
}

describe.skipIf(!HAS.nghttpx || !HAS.squid)('a proxy that speaks HTTP/2 (nghttpx before squid)', () => {
  it.each<SquidScheme>(['none', 'basic', 'digest'])('carries all tunnels over one connection: %s', async (scheme) => {
    const { engine, relay, settings } = await behindHttp2(scheme);
    const h1 = await httpsOrigin((_request, response) => response.end('over h1'));
    const h2 = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('over h2');
    });
    engine.apply({ ...settings, upstreamCaFiles: [h1.caPath, h2.caPath] });
    for (let each = 0; each < 3; each += 1) expect((await curl(engine, h1.url)).stdout).toBe('over h1');
    expect((await curl(engine, '--http2', h2.url)).stdout).toBe('over h2');
    expect(relay.connections).toBe(1);
    await engine.seen.ended1((each) => each.id === 4);
    const places = engine.seen.all.map((each) => each.upstream?.remoteAddress);
    expect(places).toEqual(Array(4).fill(expect.stringMatching(`:${relay.port}$`)));
    const protocols = engine.seen.all.map((each) => each.upstream?.protocol);
    expect(protocols).toEqual(['http/1.1', 'http/1.1', 'http/1.1', 'h2']);
    expect(JSON.stringify(engine.seen.all)).not.toContain('s3cret');
  });

  it('carries passed-through tunnels, and releases those that our side ended', async () => {
    const { engine, relay, settings } = await behindHttp2('basic');
    const h1 = await httpsOrigin();
    // It waits for the end of our side, which nghttpx does not forward.
    const h2 = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('over h2');
    });
    engine.apply({ ...settings, intercept: false });
    expect((await curl(engine, '-k', h1.url)).stdout).toBe('hello');
    expect((await curl(engine, '-k', '--http2', h2.url)).stdout).toBe('over h2');
    expect(relay.connections).toBe(1);
    // The second may end before the first.
    await engine.seen.ended1(() => engine.seen.all.length === 2);
    expect(engine.seen.all.map(({ upstream, failure }) => [upstream?.protocol, failure])).toEqual([
      ['tunnel', null],
      ['tunnel', null],
    ]);
  });

  it('carries many at once, and a large body both ways', async () => {
    const { engine, relay, settings } = await behindHttp2('basic');
    const origin = await httpsOrigin((request, response) => {
      request.pipe(response);
    });
    engine.apply({ ...settings, upstreamCaFiles: [origin.caPath] });
    expect((await curl(engine, '-d', 'first', origin.url)).stdout).toBe('first');
    const before = relay.connections;
    const body = 'x'.repeat(900_000);
    const file = path.join(temporaryFolder(), 'body');
    fs.writeFileSync(file, body);
    const all = await Promise.all(
      Array.from({ length: 12 }, () => curl(engine, '--data-binary', `@${file}`, origin.url)),
    );
    for (const { stdout } of all) expect([stdout.length, stdout === body]).toEqual([body.length, true]);
    expect(relay.connections).toBe(before);
  });

  it('is asked in HTTP/1.1 for plain requests, and where HTTP/2 is off', async () => {
    const { engine, relay, settings } = await behindHttp2('basic');
    const plain = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain'));
    expect((await curl(engine, `http://127.0.0.1:${plain.port}/`)).stdout).toBe('plain');
    const origin = await httpsOrigin();
    engine.apply({ ...settings, upstreamCaFiles: [origin.caPath], http2Upstream: false });
    const before = relay.connections;
    for (let each = 0; each < 2; each += 1) expect((await curl(engine, origin.url)).stdout).toBe('hello');
    expect(relay.connections).toBe(before + 2);
  });

  it('is tested before it is used, and nothing stays open', async () => {
    const { relay, settings } = await behindHttp2('basic');
    const origin = await httpsOrigin();
    const { engine } = await testEngine();
    const target = { host: 'localhost', port: Number(new URL(origin.url).port) };
    const tried = { settings: { ...DEFAULT_SETTINGS, ...settings }, facts: NO_PROXY_FACTS, target };
    expect(await engine.testProxy(tried)).toMatchObject({ state: 'works', via: `https://localhost:${relay.port}` });
    expect(relay.connections).toBe(1);
    await expect.poll(() => relay.open).toBe(0);
  });

  it('is connected to again after it ends its connection', async () => {
    const { engine, relay, settings } = await behindHttp2('basic');
    const origin = await httpsOrigin();
    engine.apply({ ...settings, upstreamCaFiles: [origin.caPath] });
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
    relay.cut();
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
    expect(relay.connections).toBe(2);
  });

  it('refuses a wrong password, a forbidden port and an unreachable origin as other proxies do', async () => {
    const wrong = await behindHttp2('basic', 'ann:wrong');
    for (let each = 0; each < 2; each += 1) await curl(wrong.engine, 'https://localhost:1/');
    await wrong.engine.seen.ended1((each) => each.id === 2);
    expect(wrong.engine.seen.all.map((each) => each.failure?.code)).toEqual(Array(2).fill('proxy.wrong-password'));
    const right = await behindHttp2('basic');
    await curl(right.engine, 'https://localhost:1/');
    const { failure, route } = await right.engine.seen.ended1();
    expect(failure?.code).toBe('proxy.unavailable');
    expect(route?.answer).toMatchObject({ status: 503, contentType: expect.stringContaining('text/html') });
    expect(route?.answer?.body).toContain('localhost');
  });
});

it('an HTTP/2 proxy that demands NTLM, which authenticates a connection, is used over HTTP/1.1', async () => {
  const made = makeCertificate(temporaryFolder(), 'proxy', {
    commonName: 'roundtrip test ntlm proxy',
    extensions: ['subjectAltName=DNS:localhost'],
  });
  const asked: string[] = [];
  const pem = { cert: fs.readFileSync(made.certificate), key: fs.readFileSync(made.key) };
  const proxy = http2.createSecureServer({ ...pem, allowHTTP1: true });
  proxy.on('stream', (stream) => {
    asked.push('h2');
    stream.respond({ ':status': 407, 'proxy-authenticate': 'NTLM' }, { endStream: true });
  });
  proxy.on('connect', (request: http2.Http2ServerRequest, socket: Socket) => {
    if (request.httpVersion !== '1.1') return;
    asked.push(request.headers['proxy-authorization'] ?? 'nothing');
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
  });
  const port = await listenInTest(proxy);
  const url = `https://${LOGIN}@localhost:${port}`;
  const engine = await testEngine({ proxyCaFiles: [made.certificate], upstreamProxy: { enabled: true, url } });
  await curl(engine, 'https://localhost:1/');
  expect((await engine.seen.ended1()).failure?.code).toBe('proxy.forbidden');
  expect(asked).toEqual(['h2', expect.stringMatching(/^NTLM TlRMTVNTUAAB/)]);
});

/** An HTTP/2 proxy that treats each open tunnel as configured. */
async function scriptedProxy(fields: http2.OutgoingHttpHeaders, tunnel: (stream: http2.ServerHttp2Stream) => void) {
  const made = makeCertificate(temporaryFolder(), 'proxy', {
    commonName: 'roundtrip test scripted proxy',
    extensions: ['subjectAltName=DNS:localhost'],
  });
  const pem = { cert: fs.readFileSync(made.certificate), key: fs.readFileSync(made.key) };
  const proxy = http2.createSecureServer(pem);
  proxy.on('stream', (stream, headers) => {
    const port = Number(/\d+$/.exec(headers[':authority'] ?? '')?.[0]);
    stream.on('error', () => {});
    const upstream = net.connect(port, '127.0.0.1', () => {
      stream.respond({ ':status': 200, ...fields });
      stream.pipe(upstream).pipe(stream);
      tunnel(stream);
    });
    upstream.on('error', () => stream.close());
    stream.once('close', () => upstream.destroy());
  });
  const port = await listenInTest(proxy);
  const url = `https://localhost:${port}`;
  return { proxyCaFiles: [made.certificate], upstreamProxy: { enabled: true, url } };
}

it('a length in the response to a CONNECT is ignored', async () => {
  const origin = await httpsOrigin();
  const settings = await scriptedProxy({ 'content-length': '0' }, () => {});
  const engine = await testEngine({ ...settings, upstreamCaFiles: [origin.caPath] });
  for (let each = 0; each < 2; each += 1) expect((await curl(engine, origin.url)).stdout).toBe('hello');
});

it.each([
  [http2.constants.NGHTTP2_CONNECT_ERROR, 'ECONNRESET'],
  [http2.constants.NGHTTP2_CANCEL, null],
])('only the tunnel that the proxy resets (%i) ends', async (code, cause) => {
  const silent = await rawOrigin(() => {});
  const origin = await httpsOrigin();
  let tunnels = 0;
  const settings = await scriptedProxy({}, (stream) => {
    tunnels += 1;
    if (tunnels === 1) stream.once('data', () => setImmediate(() => stream.close(code)));
  });
  const engine = await testEngine({ ...settings, intercept: false });
  await curl(engine, '-k', `https://localhost:${silent.port}/`);
  expect((await engine.seen.ended1()).failure?.cause ?? null).toBe(cause);
  expect((await curl(engine, '-k', origin.url)).stdout).toBe('hello');
});
