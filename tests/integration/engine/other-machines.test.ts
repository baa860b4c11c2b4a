import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { NO_OVERRIDE } from '../../../shared/model/settings.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { addressWithoutCarrier, HAS_NAMESPACES, type OtherMachine, otherMachine } from '../../support/other-machine.ts';
import { HAS, microsocks, tinyproxy } from '../../support/real-proxies.ts';

const SECRET = 'only for this machine';

/** A service of this machine, at all its addresses. */
async function service(host: string): Promise<number> {
  const server = http.createServer((_request, response) => response.end(SECRET)).listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe.skipIf(!HAS_NAMESPACES)('a client on another machine (needs root and iproute2)', () => {
  let machine: OtherMachine;
  beforeEach(async () => {
    machine = await otherMachine();
  });

  /** curl's output there: the response, or nothing. */
  async function ask(through: TestEngine, ...args: string[]): Promise<string> {
    const proxy = `http://${machine.here}:${through.port}`;
    return await machine
      .run('curl', '-s', '-k', '-m', '10', '--noproxy', '', '-x', proxy, ...args)
      .catch(() => 'nothing');
  }

  it.each([
    '127.0.0.1',
    '127.1',
    '0',
    'localhost',
    'localhost.',
    'a.localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'HERE',
    'IDLE',
    'NAME',
  ])('does not reach this machine as %s, in any way', async (spelled) => {
    const port = await service('::');
    const through = await testEngine({}, { tunnelSilence: 30 }, { host: '0.0.0.0' });
    const variable: Record<string, () => string> = {
      HERE: () => machine.here,
      IDLE: addressWithoutCarrier,
      NAME: hostname,
    };
    const host = variable[spelled]?.() ?? spelled;
    const url = `http://${host}:${port}/`;
    const ways = [[url], ['-p', url], ['-p', '--http2-prior-knowledge', url], ['-p', `https://${host}:${port}/`]];
    for (const way of ways) expect(await ask(through, ...way), way.join(' ')).toBe('nothing');
    expect(through.seen.all.length).toBeGreaterThanOrEqual(ways.length);
    expect(new Set(through.seen.all.map((each) => each.failure?.code))).toEqual(new Set(['client.local-refused']));
    expect((await curl(through, `http://127.0.0.1:${port}/`)).stdout).toBe(SECRET);
  });

  it('does not send requests in a circle through an interface that does not run', async () => {
    const through = await testEngine({}, {}, { host: '0.0.0.0' });
    // The page for devices.
    expect((await curl(through, `http://${addressWithoutCarrier()}:${through.port}/`)).stdout).toMatch(/^<!doctype/);
    expect(through.seen.all).toEqual([]);
  });

  it('reaches it only while the user allows that', async () => {
    const port = await service('127.0.0.1');
    const through = await testEngine({}, {}, { host: '0.0.0.0' });
    const url = `http://127.0.0.1:${port}/`;
    through.apply({ devicesReachLocal: true });
    expect(await ask(through, url)).toBe(SECRET);
    through.apply({ devicesReachLocal: false });
    expect(await ask(through, url)).toBe('nothing');
  });

  it('gets no connection that a client of this machine left open', async () => {
    const port = await service('127.0.0.1');
    const through = await testEngine({}, {}, { host: '0.0.0.0' });
    const url = `http://localhost:${port}/`;
    expect((await curl(through, url)).stdout).toBe(SECRET);
    expect(await ask(through, url)).toBe('nothing');
    const origin = await httpsOrigin();
    through.apply({ upstreamCaFiles: [origin.caPath] });
    expect((await curl(through, origin.url)).exitCode).toBe(0);
    expect(await ask(through, origin.url)).toBe('nothing');
  });

  it('does not reach it by a rule that puts an address in DNS’s place', async () => {
    const port = await service('127.0.0.1');
    const rule = { ...NO_OVERRIDE, host: 'api.test', address: '127.0.0.1' };
    const through = await testEngine({ hostOverrides: [rule] }, {}, { host: '0.0.0.0' });
    expect((await curl(through, `http://api.test:${port}/`)).stdout).toBe(SECRET);
    expect(await ask(through, `http://api.test:${port}/`)).toBe('nothing');
  });

  it('does not reach it in a tunnel that is passed through', async () => {
    const port = await service('127.0.0.1');
    const through = await testEngine({ intercept: false }, {}, { host: '0.0.0.0' });
    expect(await ask(through, '-p', `http://localhost:${port}/`)).toBe('nothing');
    expect(await through.seen.ended1()).toMatchObject({ kind: 'tunnel', failure: { code: 'client.local-refused' } });
  });

  it.skipIf(!HAS.tinyproxy || !HAS.microsocks)('does not reach it through a proxy on this machine', async () => {
    const port = await service('127.0.0.1');
    const ways = [
      `http://127.0.0.1:${await tinyproxy(null)}`,
      `socks5://127.0.0.1:${await microsocks(null)}`,
      `socks5h://127.0.0.1:${await microsocks(null)}`,
    ];
    for (const url of ways) {
      const through = await testEngine({ upstreamProxy: { enabled: true, url } }, {}, { host: '0.0.0.0' });
      for (const host of ['127.0.0.1', '127.1', 'localhost', hostname(), machine.here]) {
        const target = `http://${host}:${port}/`;
        expect(await ask(through, target), `${target} by ${url}`).toBe('nothing');
        expect(await ask(through, '-p', target), `${target} by ${url}, in a tunnel`).toBe('nothing');
      }
      expect((await curl(through, `http://127.0.0.1:${port}/`)).stdout).toBe(SECRET);
    }
  });

  it('reaches everything else, and the page for devices', async () => {
    const through = await testEngine({}, {}, { host: '0.0.0.0' });
    const page = await machine.run('curl', '-s', '--noproxy', '*', `http://${machine.here}:${through.port}/`);
    expect(page).toContain('Connect this device');
    // Nothing listens there, as its own system reports: the request was sent.
    expect(await ask(through, `http://${machine.there}:9/`)).toBe('nothing');
    expect(await through.seen.ended1()).toMatchObject({ failure: { code: 'upstream.refused' } });
  });

  it('a client on this machine that uses its network address is not another machine', async () => {
    const port = await service('127.0.0.1');
    const through = await testEngine({}, {}, { host: '0.0.0.0' });
    const proxy = `http://${machine.here}:${through.port}`;
    expect((await curl({ ...through, proxy }, `http://localhost:${port}/`)).stdout).toBe(SECRET);
  });
});

describe('our own UI', () => {
  const spellings = [
    '127.0.0.1',
    '127.1',
    '0',
    '0x7f.1',
    '2130706433',
    'localhost',
    'localhost.',
    'LOCALHOST',
    '[::1]',
    hostname(),
  ];

  it.each(HAS.tinyproxy ? [false, true] : [false])(
    'cannot be reached through the proxy, whatever the spelling; upstream proxy: %s',
    async (proxied) => {
      const port = await service('::');
      const url = proxied ? `http://127.0.0.1:${await tinyproxy(null)}` : '';
      const through = await testEngine(
        { upstreamProxy: { enabled: proxied, url } },
        {},
        { refusedAuthorities: [`127.0.0.1:${port}`] },
      );
      for (const host of spellings) {
        for (const way of [[], ['-p']]) {
          const result = await curl(through, ...way, `http://${host}:${port}/`);
          expect(result.stdout, `${host} ${way}`).not.toContain(SECRET);
        }
      }
      expect(new Set(through.seen.all.map((each) => each.failure?.code))).toEqual(new Set(['tunnel.to-itself']));
    },
  );
});
