import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ProxyWatch } from '../../../../../electron/commands/services/proxy-watch.ts';
import { NO_PROXY_FACTS, type ProxyFacts, type SystemProxy } from '../../../../../shared/model/proxy/proxy-facts.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../../../shared/model/settings.ts';
import { listenInTest } from '../../../../support/listen-in-test.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const SYSTEM: SystemProxy = { from: 'a test', http: 'http://a:1', https: null, other: null, bypass: [], pac: null };
const wanting = (change: Partial<Settings>): Settings => ({
  ...DEFAULT_SETTINGS,
  upstreamProxy: { enabled: true, url: '' },
  ...change,
});

function watch(
  readSystem: () => Promise<SystemProxy | null>,
  places: string[] = [],
): { it: ProxyWatch; seen: ProxyFacts[] } {
  const seen: ProxyFacts[] = [];
  const made = new ProxyWatch(DEFAULT_SETTINGS, {
    readSystem,
    readWpadPlaces: async () => places,
    onChange: (facts) => void seen.push(facts),
    interval: 60_000,
  });
  onTestFinished(() => made.close());
  return { it: made, seen };
}

describe('what the host finds out about proxies', () => {
  it('reports a change once, and queries nothing if it is off', async () => {
    let system: SystemProxy | null = SYSTEM;
    let asked = 0;
    const { it: watched, seen } = watch(async () => {
      asked += 1;
      return system;
    });
    await watched.follow(DEFAULT_SETTINGS);
    expect([asked, seen]).toEqual([0, []]);
    await watched.follow(wanting({ proxySource: 'system' }));
    await watched.read();
    system = { ...SYSTEM, http: 'http://b:2' };
    await watched.read();
    expect(seen.map((facts) => facts.system?.http)).toEqual(['http://a:1', 'http://b:2']);
    await watched.follow(DEFAULT_SETTINGS);
    expect(seen.at(-1)).toEqual(NO_PROXY_FACTS);
  });

  it('reads a PAC file from a path, rereads it when it changes, and reports when it is gone', async () => {
    const file = path.join(temporaryFolder(), 'proxy.pac');
    fs.writeFileSync(file, 'one');
    const { it: watched, seen } = watch(async () => null);
    await watched.follow(wanting({ proxySource: 'pac', proxyPac: file }));
    fs.writeFileSync(file, 'two');
    await watched.read();
    fs.rmSync(file);
    await watched.read();
    expect(seen.map((facts) => facts.pac?.script ?? facts.problem?.code)).toEqual([
      'one',
      'two',
      'proxy.pac-unreadable',
    ]);
  });

  it('reads one from a URL, the system names it', async () => {
    const server = http.createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/proxy.pac' }).end();
      else response.writeHead(request.url === '/proxy.pac' ? 200 : 404).end('script');
    });
    const port = await listenInTest(server);
    const base = `http://127.0.0.1:${port}`;
    let pac = `${base}/moved`;
    const { it: watched, seen } = watch(async () => ({ ...SYSTEM, pac }));
    await watched.follow(wanting({ proxySource: 'system' }));
    expect(seen[0]?.pac).toEqual({ from: pac, script: 'script' });
    pac = `${base}/nothing`;
    await watched.read();
    expect(seen[1]?.problem?.message).toContain('404');
  });

  it('keeps a script whose server does not answer for a moment, but not forever', async () => {
    let isUp = true;
    const server = http.createServer((_request, response) => {
      response.writeHead(isUp ? 200 : 503).end('script');
    });
    const port = await listenInTest(server);
    const proxyPac = `http://127.0.0.1:${port}/proxy.pac`;
    const { it: watched, seen } = watch(async () => null);
    await watched.follow(wanting({ proxySource: 'pac', proxyPac }));
    const told = () => seen.map((facts) => facts.pac?.script ?? facts.problem?.code);
    const miss = async (times: number) => {
      isUp = false;
      for (let each = 0; each < times; each += 1) await watched.read();
    };
    await miss(6);
    isUp = true;
    await watched.read();
    await miss(6);
    expect(told()).toEqual(['script']);
    await watched.read();
    expect(told()).toEqual(['script', 'proxy.pac-unreadable']);
    isUp = true;
    await watched.read();
    // Saved settings need the current state at once.
    await miss(0);
    await watched.follow(wanting({ proxySource: 'pac', proxyPac }));
    expect(told()).toEqual(['script', 'proxy.pac-unreadable', 'script', 'proxy.pac-unreadable']);
  });
});
