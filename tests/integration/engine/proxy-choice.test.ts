import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PacRunner } from '../../../electron/worker/pac-runner.ts';
import type { ProxyFacts, SystemProxy } from '../../../shared/model/proxy/proxy-facts.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { HAS, tinyproxy } from '../../support/real-proxies.ts';

const ENABLED = { enabled: true, url: '' };

function pacRunner(): PacRunner {
  const runner = new PacRunner({
    threadFile: path.resolve('electron/worker/pac-thread.ts'),
    wasmFile: path.resolve('node_modules/quickjs-wasi/quickjs.wasm'),
    // The limit includes the start of the thread, for which a loaded machine needs seconds.
    timeLimit: 100_000,
  });
  onTestFinished(() => runner.close());
  return runner;
}

const facts = (change: Partial<ProxyFacts>): ProxyFacts => ({ system: null, pac: null, problem: null, ...change });
const pac = (body: string): ProxyFacts =>
  facts({ pac: { from: 'http://wpad.test/proxy.pac', script: `function FindProxyForURL(url, host) {\n${body}\n}` } });

async function last(engine: TestEngine, count: number) {
  return await engine.seen.ended1((each) => each.id === count);
}

describe.skipIf(!HAS.tinyproxy)('which proxy', () => {
  it('follows the PAC file, uses the next proxy if the first is missing, and records the reason', async () => {
    const live = `127.0.0.1:${await tinyproxy('ann:s3cret')}`;
    const dead = `127.0.0.1:${await freePort()}`;
    const origin = await httpsOrigin();
    const engine = await testEngine(
      {
        upstreamCaFiles: [origin.caPath],
        upstreamProxy: ENABLED,
        proxySource: 'pac',
        proxyLogin: { user: 'ann', password: 's3cret' },
      },
      {},
      { runPac: pacRunner().run },
    );
    const { port } = new URL(origin.url);
    engine.engine.applyProxyFacts(
      pac(`return url === 'https://localhost:${port}/' ? 'PROXY ${dead}; PROXY ${live}' : 'DIRECT';`),
    );
    expect((await curl(engine, `${origin.url}/secret/path`)).stdout).toBe('hello');
    const exchange = await last(engine, 1);
    expect(exchange.upstream?.via).toBe(`http://${live}`);
    expect(exchange.route).toEqual({
      via: `http://${dead}`,
      reason: `the PAC file (http://wpad.test/proxy.pac) returned PROXY ${dead}; PROXY ${live}`,
      answer: null,
      override: null,
    });
    engine.engine.applyProxyFacts(pac("return 'DIRECT';"));
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
    expect((await last(engine, 2)).upstream?.via).toBeNull();
    engine.apply({ upstreamCaFiles: [origin.caPath], upstreamProxy: ENABLED, proxySource: 'pac', intercept: false });
    engine.engine.applyProxyFacts(pac(`return 'PROXY ${dead}; DIRECT';`));
    expect((await curl(engine, '-k', origin.url)).stdout).toBe('hello');
    expect((await last(engine, 3)).upstream?.via).toBeNull();
  });

  it('fails with the line where the PAC file fails, and with the reason where it cannot be read', async () => {
    const engine = await testEngine({ upstreamProxy: ENABLED, proxySource: 'pac' }, {}, { runPac: pacRunner().run });
    await curl(engine, 'https://a.test/');
    expect((await last(engine, 1)).failure?.code).toBe('proxy.pac-unreadable');
    engine.engine.applyProxyFacts(pac('  nothing();'));
    await curl(engine, 'http://a.test/');
    expect((await last(engine, 2)).failure).toMatchObject({
      code: 'proxy.pac-failed',
      message: expect.stringContaining('line 2'),
    });
    engine.engine.applyProxyFacts(pac("return 'BOGUS a:1';"));
    await curl(engine, 'https://a.test/');
    expect((await last(engine, 3)).failure?.code).toBe('proxy.pac-failed');
  });

  it('follows the system, except for hosts that it or we exempt', async () => {
    const proxy = `http://127.0.0.1:${await tinyproxy(null)}`;
    const origin = await httpsOrigin();
    const settings = { upstreamCaFiles: [origin.caPath], upstreamProxy: ENABLED, proxySource: 'system' as const };
    const engine = await testEngine(settings);
    const system: SystemProxy = { from: 'the test', http: null, https: proxy, other: null, bypass: [], pac: null };
    engine.engine.applyProxyFacts(facts({ system }));
    await curl(engine, origin.url);
    engine.engine.applyProxyFacts(facts({ system: { ...system, bypass: ['localhost'] } }));
    await curl(engine, origin.url);
    engine.engine.applyProxyFacts(facts({ system }));
    engine.apply({ ...settings, proxyBypass: ['local*'] });
    await curl(engine, origin.url);
    await last(engine, 3);
    expect(engine.seen.all.map((each) => each.route)).toEqual([
      { via: proxy, reason: 'the test set it', answer: null, override: null },
      { via: null, reason: 'the test: localhost bypasses the proxy', answer: null, override: null },
      { via: null, reason: 'the bypass list names local*', answer: null, override: null },
    ]);
  });
});

it('a proxy that gives no answer is tried last from then on', async () => {
  const dead = await rawOrigin((socket) => socket.destroy());
  const origin = await httpsOrigin();
  const settings = { keepAlive: false, upstreamCaFiles: [origin.caPath], upstreamProxy: ENABLED };
  const engine = await testEngine({ ...settings, proxySource: 'pac' }, {}, { runPac: pacRunner().run });
  engine.engine.applyProxyFacts(pac(`return 'PROXY 127.0.0.1:${dead.port}; DIRECT';`));
  expect((await curl(engine, origin.url)).stdout).toBe('hello');
  const before = dead.connections();
  expect(before).toBeGreaterThan(0);
  expect((await curl(engine, origin.url)).stdout).toBe('hello');
  expect(dead.connections()).toBe(before);
});

it('keeps what the proxy answered in place of a tunnel, intercepted or passed through', async () => {
  const page = '<p>gateway down</p>';
  const proxy = await rawOrigin((socket) => {
    socket.end(`HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`);
  });
  const upstreamProxy = { enabled: true, url: `http://127.0.0.1:${proxy.port}` };
  const engine = await testEngine({ upstreamProxy });
  await curl(engine, 'https://localhost:1/');
  engine.apply({ upstreamProxy, intercept: false });
  await curl(engine, 'https://localhost:1/');
  await last(engine, 2);
  const answer = { status: 502, statusText: 'Bad Gateway', contentType: 'text/html', body: page };
  const reason = 'it is the upstream proxy in the settings';
  expect(engine.seen.all.map((each) => each.route)).toEqual(
    Array(2).fill({ via: upstreamProxy.url, reason, answer, override: null }),
  );
});
