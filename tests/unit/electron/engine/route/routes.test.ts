import { beforeEach, expect, it, vi } from 'vitest';
import { Routes } from '../../../../../electron/engine/route/routes.ts';
import { UpstreamProxies } from '../../../../../electron/engine/upstream/proxy/upstream-proxy.ts';
import { NO_PROXY_FACTS, type ProxyFacts } from '../../../../../shared/model/proxy/proxy-facts.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../../../shared/model/settings.ts';

const SETTINGS: Settings = { ...DEFAULT_SETTINGS, upstreamProxy: { enabled: true, url: '' }, proxySource: 'pac' };
const FACTS: ProxyFacts = { ...NO_PROXY_FACTS, pac: { from: 'http://wpad.test/proxy.pac', script: 'the script' } };
const A = { scheme: 'https', host: 'a.test', port: 443 } as const;
const B = { ...A, host: 'b.test' } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  return () => vi.useRealTimers();
});

/** Routes by a script, and the hosts that it was asked about. */
function scripted(answer: () => Promise<string>) {
  const asked: string[] = [];
  const routes = new Routes(SETTINGS, new UpstreamProxies(async () => null), (_script, _url, host) => {
    asked.push(host);
    return answer();
  });
  routes.applyFacts(FACTS);
  return { routes, asked };
}

it('asks the PAC script about a host once a minute', async () => {
  const { routes, asked } = scripted(async () => 'PROXY proxy.test:8080');
  expect((await routes.find(A)).proxy?.label).toBe('http://proxy.test:8080');
  await routes.find(A);
  await routes.find(B);
  expect(asked).toEqual(['a.test', 'b.test']);
  vi.advanceTimersByTime(60_000);
  await routes.find(A);
  expect(asked).toEqual(['a.test', 'b.test', 'a.test']);
});

it('asks the PAC script again after a failure, and after a change of facts or settings', async () => {
  let works = false;
  const { routes, asked } = scripted(async () => {
    if (!works) throw new Error('no answer');
    return 'DIRECT';
  });
  await expect(routes.find(A)).rejects.toThrow('no answer');
  works = true;
  await routes.find(A);
  routes.applyFacts(FACTS);
  await routes.find(A);
  routes.applySettings(SETTINGS);
  await routes.find(A);
  expect(asked).toHaveLength(4);
});
