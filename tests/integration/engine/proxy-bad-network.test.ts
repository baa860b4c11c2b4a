import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { HAS, tinyproxy } from '../../support/real-proxies.ts';
import { badLine, HAS_TOXIPROXY, type Toxic } from '../../support/toxiproxy.ts';

const SIZE = 200_000;
const BODY = 'a body of some size '.repeat(SIZE / 20);

type Place = 'us and the proxy' | 'the proxy and the origin';
const PLACES: readonly Place[] = ['us and the proxy', 'the proxy and the origin'];

/** An engine behind a real proxy, with a bad connection in one place, and the requests over it. */
async function behind(place: Place, toxic: Toxic): Promise<{ engine: TestEngine; url: string }> {
  const origin = await httpsOrigin((_request, response) => response.end(BODY));
  const proxy = await tinyproxy(null);
  const port = Number(new URL(origin.url).port);
  const atProxy = place === 'us and the proxy';
  const way = atProxy ? (await badLine(proxy, toxic)).port : proxy;
  const engine = await testEngine(
    {
      upstreamCaFiles: [origin.caPath],
      upstreamProxy: { enabled: true, url: `http://127.0.0.1:${way}` },
    },
    { connectTime: 700 },
  );
  return { engine, url: `https://localhost:${atProxy ? port : (await badLine(port, toxic)).port}/` };
}

describe.skipIf(!HAS_TOXIPROXY || !HAS.tinyproxy)('a bad network', () => {
  const SLOW: Toxic[] = [
    { type: 'latency', attributes: { latency: 80, jitter: 40 } },
    { type: 'bandwidth', attributes: { rate: 400 } },
    { type: 'slow_close', attributes: { delay: 200 } },
    { type: 'slicer', attributes: { average_size: 400, size_variation: 200, delay: 10 } },
  ];
  for (const place of PLACES) {
    it.each(SLOW)(`between ${place} does not change the bytes that pass: $type`, async (toxic) => {
      const { engine, url } = await behind(place, toxic);
      for (let times = 0; times < 2; times += 1) expect((await curl(engine, url)).stdout).toBe(BODY);
      await engine.seen.ended1((each) => each.id === 2);
      expect(engine.seen.all.map(({ state, failure }) => [state, failure])).toEqual(Array(2).fill(['complete', null]));
    });
  }

  it('a tunnel that dies while idle ends with a code, and the next one is newly opened', async () => {
    const origin = await httpsOrigin((_request, response) => response.end(BODY));
    const line = await badLine(await tinyproxy(null), { type: 'latency', attributes: { latency: 1 } });
    const upstreamProxy = { enabled: true, url: `http://127.0.0.1:${line.port}` };
    const engine = await testEngine({ upstreamCaFiles: [origin.caPath], upstreamProxy }, { responseSilence: 700 });
    expect((await curl(engine, origin.url)).stdout).toBe(BODY);
    // Half open: data is accepted, and nothing comes back.
    await line.add({ type: 'timeout', attributes: { timeout: 0 } });
    await curl(engine, origin.url);
    const { failure, upstream } = await engine.seen.ended1((each) => each.id === 2);
    expect([failure?.code, upstream?.reused]).toEqual(['upstream.timeout', true]);
    await line.remove('timeout');
    expect((await curl(engine, origin.url)).stdout).toBe(BODY);
  });

  const BROKEN: [Place, string, Toxic, string][] = [
    ['us and the proxy', 'a reset', { type: 'reset_peer', attributes: { timeout: 0 } }, 'proxy.connect-failed'],
    ['us and the proxy', 'silence', { type: 'timeout', attributes: { timeout: 0 } }, 'proxy.timeout'],
    ['us and the proxy', 'an early end', { type: 'timeout', attributes: { timeout: 100 } }, 'proxy.empty-answer'],
    ['us and the proxy', 'half a response', { type: 'limit_data', attributes: { bytes: 9 } }, 'proxy.empty-answer'],
    [
      'the proxy and the origin',
      'a reset',
      { type: 'reset_peer', attributes: { timeout: 0 } },
      'upstream.tls-handshake',
    ],
    [
      'the proxy and the origin',
      'silence',
      { type: 'timeout', attributes: { timeout: 0 } },
      'upstream.connect-timeout',
    ],
    [
      'the proxy and the origin',
      'an early end',
      { type: 'timeout', attributes: { timeout: 100 } },
      'upstream.tls-handshake',
    ],
    [
      'the proxy and the origin',
      'half a body',
      { type: 'limit_data', attributes: { bytes: 50_000 } },
      'upstream.body-cut-short',
    ],
  ];
  it.each(BROKEN)(
    'between %s fails with its own code and leaves nothing behind: %s',
    async (place, _what, toxic, code) => {
      const { engine, url } = await behind(place, toxic);
      await curl(engine, url);
      const { state, failure } = await engine.seen.ended1();
      expect([state, failure?.code]).toEqual(['failed', code]);
      await expect.poll(() => engine.engine.connections()).toMatchObject({ client: 0, upstream: 0 });
    },
  );
});
