import http2 from 'node:http2';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleartextOrigin } from '../../support/cleartext-origin.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { responseOf } from '../../support/http2-client.ts';
import type { Http2Responder } from '../../support/http2-origin.ts';
import { makeCertificate } from '../../support/openssl-certificates.ts';
import { HAS, microsocks, nghttpx, squid, tinyproxy } from '../../support/real-proxies.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Answers with the size of the request's body, and a trailer. */
const measure: Http2Responder = (stream) => {
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  stream.on('end', () => {
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '1' }));
    stream.end(`${size} over HTTP/2`);
  });
};

const POST = ['-d', 'x'.repeat(50_000)];
const TUNNEL = ['--http2-prior-knowledge', '-p'];

const protocols = ({ seen }: TestEngine): unknown[] =>
  seen.all.map(({ client, upstream, state }) => [client.protocol, upstream?.protocol, upstream?.tls, state]);

// RFC 9113, section 3.3
describe('HTTP/2 without TLS', () => {
  it('goes upstream as HTTP/2, through a tunnel', async () => {
    const origin = await cleartextOrigin(measure);
    const through = await testEngine();
    expect((await curl(through, ...TUNNEL, ...POST, origin.url)).stdout).toBe('50000 over HTTP/2');
    const exchange = await through.seen.ended1();
    expect(protocols(through)).toEqual([['h2', 'h2', null, 'complete']]);
    expect(exchange.response).toMatchObject({ httpVersion: 'HTTP/2.0', trailers: ['x-sum', '1'] });
    expect(origin.spoken).toEqual(['http2']);
  });

  it('goes upstream as HTTP/2 where the client speaks HTTP/2 with its proxy, and names the origin', async () => {
    const origin = await cleartextOrigin(measure);
    const through = await testEngine();
    const client = http2.connect(through.proxy);
    onTestFinished(() => client.destroy());
    const asked = { ':path': '/', ':method': 'POST', ':authority': `localhost:${origin.port}`, ':scheme': 'http' };
    const stream = client.request(asked);
    stream.end('abc');
    expect(await responseOf(stream)).toMatchObject({ body: '3 over HTTP/2', trailers: { 'x-sum': '1' } });
    await through.seen.ended1();
    expect(protocols(through)).toEqual([['h2', 'h2', null, 'complete']]);
  });

  it('and HTTP/1.1 reach an origin that speaks both on separate connections', async () => {
    const origin = await cleartextOrigin(measure);
    const through = await testEngine();
    for (const flags of [TUNNEL, ['--http1.1', '-p'], ['--http1.1'], TUNNEL]) {
      const version = flags === TUNNEL ? '0 over HTTP/2' : 'GET over HTTP/1.1';
      expect((await curl(through, ...flags, origin.url)).stdout).toBe(version);
    }
    await through.seen.ended1((each) => each.id === 4);
    expect(origin.spoken).toEqual(['http2', 'http1']);
  });

  it('goes upstream as HTTP/1.1 if HTTP/2 is off there', async () => {
    const origin = await cleartextOrigin(measure, { speaks: ['http1'] });
    const through = await testEngine({ http2Upstream: false });
    expect((await curl(through, ...TUNNEL, ...POST, origin.url)).stdout).toBe('POST over HTTP/1.1');
    await through.seen.ended1();
    expect(protocols(through)).toEqual([['h2', 'http/1.1', null, 'complete']]);
  });

  it('fails if the origin speaks only HTTP/1.1, as without a proxy, and the row gives the reason', async () => {
    const origin = await cleartextOrigin(measure, { speaks: ['http1'] });
    const through = await testEngine();
    const direct = await curl({ proxy: '', caPath: through.caPath }, '--http2-prior-knowledge', origin.url);
    expect(direct).toMatchObject({ stdout: '' });
    expect(direct.exitCode).not.toBe(0);
    const proxied = await curl(through, ...TUNNEL, origin.url);
    expect(proxied).toMatchObject({ stdout: '' });
    expect(proxied.exitCode).not.toBe(0);
    const exchange = await through.seen.ended1();
    expect(exchange.failure?.code).toBe('upstream.protocol-unsupported');
    expect(exchange.failure?.message).toContain('HTTP/2');
    expect(exchange.attempts).toHaveLength(1);
  });

  it('carries many streams on one connection', async () => {
    const origin = await cleartextOrigin(measure);
    const through = await testEngine();
    const client = http2.connect(through.proxy);
    onTestFinished(() => client.destroy());
    const ask = (): ReturnType<typeof responseOf> =>
      responseOf(client.request({ ':path': '/', ':authority': `localhost:${origin.port}`, ':scheme': 'http' }));
    const responses = await Promise.all(Array.from({ length: 100 }, ask));
    expect(responses.filter(({ body }) => body === '0 over HTTP/2')).toHaveLength(100);
    expect(origin.spoken).toEqual(['http2']);
  });
});

describe('HTTP/2 without TLS through an upstream proxy', () => {
  const WAYS = [
    ['tinyproxy', HAS.tinyproxy, async () => `http://ann:s3cret@127.0.0.1:${await tinyproxy('ann:s3cret')}`],
    ['microsocks', HAS.microsocks, async () => `socks5://127.0.0.1:${await microsocks(null)}`],
  ] as const;
  for (const [name, available, start] of WAYS) {
    it.skipIf(!available)(`goes through a tunnel of ${name}`, async () => {
      const origin = await cleartextOrigin(measure);
      const through = await testEngine({ upstreamProxy: { enabled: true, url: await start() } });
      expect((await curl(through, ...TUNNEL, ...POST, origin.url)).stdout).toBe('50000 over HTTP/2');
      const { upstream } = await through.seen.ended1();
      expect([upstream?.protocol, upstream?.via === null]).toEqual(['h2', false]);
    });
  }

  it.skipIf(!HAS.nghttpx || !HAS.squid)('goes through a stream of a proxy that speaks HTTP/2 itself', async () => {
    const made = makeCertificate(temporaryFolder(), 'proxy', {
      commonName: 'roundtrip test h2 proxy',
      extensions: ['subjectAltName=DNS:localhost'],
    });
    const port = await nghttpx(await squid({ scheme: 'none', login: '' }), made);
    const origin = await cleartextOrigin(measure);
    const through = await testEngine({
      proxyCaFiles: [made.certificate],
      upstreamProxy: { enabled: true, url: `https://localhost:${port}` },
    });
    for (let each = 0; each < 2; each += 1)
      expect((await curl(through, ...TUNNEL, ...POST, origin.url)).stdout).toBe('50000 over HTTP/2');
    await through.seen.ended1((each) => each.id === 2);
    expect(protocols(through)).toEqual(Array(2).fill(['h2', 'h2', null, 'complete']));
  });
});
