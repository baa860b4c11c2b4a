import { describe, expect, it } from 'vitest';
import { NO_PROXY_FACTS } from '../../../shared/model/proxy/proxy-facts.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../shared/model/settings.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { freePort } from '../../support/free-port.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { HAS, squid } from '../../support/real-proxies.ts';

const LOGIN = 'ann:s3cret';
const through = (url: string): Settings => ({ ...DEFAULT_SETTINGS, upstreamProxy: { enabled: true, url } });

describe.skipIf(!HAS.squid)('trying a proxy before it is in force', () => {
  it('reports that it works, that only the target fails, or why it fails', async () => {
    const port = await squid({ scheme: 'digest', login: LOGIN });
    const origin = await httpsOrigin();
    const target = { host: '127.0.0.1', port: Number(new URL(origin.url).port) };
    const { engine } = await testEngine();
    const test = (url: string, to = target) =>
      engine.testProxy({ settings: through(url), facts: NO_PROXY_FACTS, target: to });
    expect(await test(`http://${LOGIN}@127.0.0.1:${port}`)).toMatchObject({
      state: 'works',
      via: `http://127.0.0.1:${port}`,
      failure: null,
    });
    const nobody = { host: '127.0.0.1', port: await freePort() };
    expect(await test(`http://${LOGIN}@127.0.0.1:${port}`, nobody)).toMatchObject({
      state: 'answers',
      failure: { code: 'proxy.unavailable' },
    });
    const failing = async (url: string) => (await test(url)).failure?.code;
    expect(await failing(`http://127.0.0.1:${port}`)).toBe('proxy.authentication-required');
    expect(await failing(`http://ann:wrong@127.0.0.1:${port}`)).toBe('proxy.wrong-password');
    expect(await failing(`http://127.0.0.1:${nobody.port}`)).toBe('proxy.refused');
    expect(await failing(`http://127.0.0.1:${engine.address.port}`)).toBe('proxy.loop');
    expect(origin.seen).toEqual([]);
  });

  it('uses a refused login again once a test accepted it', async () => {
    const port = await squid({ scheme: 'basic', login: LOGIN });
    const origin = await httpsOrigin();
    const settings = through(`http://ann:wrong@127.0.0.1:${port}`);
    const engine = await testEngine({ ...settings, upstreamCaFiles: [origin.caPath] });
    await curl(engine, origin.url);
    expect((await engine.seen.ended1()).failure?.code).toBe('proxy.wrong-password');
    const good = through(`http://${LOGIN}@127.0.0.1:${port}`);
    const target = { host: 'localhost', port: Number(new URL(origin.url).port) };
    expect((await engine.engine.testProxy({ settings: good, facts: NO_PROXY_FACTS, target })).state).toBe('works');
    engine.apply({ ...good, upstreamCaFiles: [origin.caPath] });
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
  });
});
