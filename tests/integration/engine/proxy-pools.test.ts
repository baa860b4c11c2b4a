import { describe, expect, it } from 'vitest';
import { type CountingRelay, countingRelay } from '../../support/counting-relay.ts';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { HAS, type SquidScheme, squid } from '../../support/real-proxies.ts';

const LOGIN = 'ann:s3cret';

async function behind(scheme: SquidScheme, caFiles: string[]): Promise<{ engine: TestEngine; relay: CountingRelay }> {
  const relay = await countingRelay(await squid({ scheme, login: LOGIN }));
  const url = `http://${LOGIN}@127.0.0.1:${relay.port}`;
  return { engine: await testEngine({ upstreamCaFiles: caFiles, upstreamProxy: { enabled: true, url } }), relay };
}

function times(word: RegExp, { sent }: CountingRelay): number {
  return [...sent.matchAll(word)].length;
}

describe.skipIf(!HAS.squid)('connections through a proxy', () => {
  it.each<[SquidScheme, number]>([
    ['none', 1],
    // The first request has no login.
    ['basic', 2],
    ['digest', 2],
    ['ntlm', 3],
  ])('an authenticated tunnel is used again: %s', async (scheme, asked) => {
    const origin = await httpsOrigin();
    const { engine, relay } = await behind(scheme, [origin.caPath]);
    for (let each = 0; each < 4; each += 1) expect((await curl(engine, origin.url)).stdout).toBe('hello');
    expect(times(/CONNECT \S+ HTTP/g, relay)).toBe(asked);
  });

  it('a tunnel that ended while it was idle is opened again', async () => {
    const origin = await httpsOrigin();
    const { engine, relay } = await behind('basic', [origin.caPath]);
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
    const before = times(/CONNECT \S+ HTTP/g, relay);
    relay.cut();
    expect((await curl(engine, origin.url)).stdout).toBe('hello');
    expect(times(/CONNECT \S+ HTTP/g, relay)).toBe(before + 1);
  });

  it("a request never uses another client's NTLM connection during its handshake", async () => {
    const plain = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain'));
    const { engine, relay } = await behind('ntlm', []);
    const url = `http://127.0.0.1:${plain.port}/`;
    expect((await curl(engine, url)).stdout).toBe('plain');
    const [asked, opened] = [times(/Proxy-Authorization: NTLM/g, relay), relay.connections];
    // Once authenticated, a connection sends no more logins.
    for (let each = 0; each < 3; each += 1) expect((await curl(engine, url)).stdout).toBe('plain');
    expect([times(/Proxy-Authorization: NTLM/g, relay), relay.connections]).toEqual([asked, opened]);
    const many = await Promise.all(Array.from({ length: 6 }, () => curl(engine, url)));
    expect(many.map(({ stdout }) => stdout)).toEqual(Array(6).fill('plain'));
    // Two messages for each connection that was opened for them, none for an existing one.
    expect(times(/Proxy-Authorization: NTLM/g, relay)).toBe(asked + 2 * (relay.connections - opened));
  });
});
