import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuthChallenge } from '../../../../../../electron/engine/upstream/proxy/auth-challenge.ts';
import { ConnectionAuth } from '../../../../../../electron/engine/upstream/proxy/connection-auth.ts';
import { ProxyAuthenticator } from '../../../../../../electron/engine/upstream/proxy/proxy-authenticator.ts';
import { UpstreamProxies } from '../../../../../../electron/engine/upstream/proxy/upstream-proxy.ts';
import { parseProxyUrl } from '../../../../../../shared/format/proxy-url.ts';

const BASIC: AuthChallenge = { scheme: 'basic', params: new Map(), token: null };
const OK = { status: 200, headers: [] };
const ASKED = { status: 407, headers: ['Proxy-Authenticate', 'Basic realm="a"'] };

function authenticator(): ProxyAuthenticator {
  const login = { user: 'ann', password: 'wrong' };
  const made = new ProxyAuthenticator({
    address: 'a.test:1',
    host: 'a.test',
    login,
    ticket: async () => null,
    unasked: false,
  });
  made.choose([BASIC]);
  return made;
}

/** How many of the connections send their password within `time` milliseconds, while none is answered. */
async function guessesWithin(time: number): Promise<number> {
  const at = authenticator();
  let said = 0;
  for (let each = 0; each < 40; each += 1) {
    const auth = new ConnectionAuth(at);
    void auth.prepare().then(() => {
      if (auth.header('CONNECT', 'b.test:443') !== null) said += 1;
    });
  }
  await vi.advanceTimersByTimeAsync(time);
  return said;
}

/** Several proxies, one login, as a PAC file may have them. */
async function saidTo(proxies: UpstreamProxies, host: string, status: number): Promise<boolean> {
  const { authenticator } = proxies.make(parseProxyUrl(`http://ann:wrong@${host}:1`), null);
  authenticator.choose([BASIC]);
  const auth = new ConnectionAuth(authenticator);
  await auth.prepare();
  const said = auth.header('CONNECT', 'b.test:443') !== null;
  auth.responded(status === 407 ? ASKED : OK);
  return said;
}

describe('a login for several proxies', () => {
  it('that two proxies refused is not sent to a third until it is tested', async () => {
    const proxies = new UpstreamProxies(async () => null);
    expect(await saidTo(proxies, 'a.test', 407)).toBe(true);
    expect(await saidTo(proxies, 'b.test', 407)).toBe(true);
    await expect(saidTo(proxies, 'c.test', 407)).rejects.toMatchObject({ failure: { code: 'proxy.wrong-password' } });
    proxies.forget();
    expect(await saidTo(proxies, 'c.test', 200)).toBe(true);
  });

  it('that one proxy accepted is not a wrong password, even if others refuse it', async () => {
    const proxies = new UpstreamProxies(async () => null);
    expect(await saidTo(proxies, 'a.test', 200)).toBe(true);
    for (const host of ['b.test', 'c.test', 'd.test']) expect(await saidTo(proxies, host, 407)).toBe(true);
  });
});

describe('a login that is not proven', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is sent by one connection at a time, and to a slow proxy less and less often', async () => {
    expect(await guessesWithin(4_000)).toBe(1);
    expect(await guessesWithin(14_000)).toBe(2);
    // The second waits twice as long, the third four times.
    expect(await guessesWithin(34_000)).toBe(3);
    expect(await guessesWithin(74_000)).toBe(4);
  });

  it('is sent by all connections once it was accepted', async () => {
    const at = authenticator();
    const [first, second] = [new ConnectionAuth(at), new ConnectionAuth(at)];
    await first.prepare();
    expect(first.header('CONNECT', 'b.test:443')).toMatch(/^Basic /);
    expect(first.guesses).toBe(true);
    const waiting = second.prepare();
    expect(first.responded(OK)).toBe('pass');
    await waiting;
    expect(second.header('CONNECT', 'b.test:443')).toMatch(/^Basic /);
    expect(second.guesses).toBe(false);
  });

  it('is never sent again once it was refused', async () => {
    const at = authenticator();
    const [first, second] = [new ConnectionAuth(at), new ConnectionAuth(at)];
    await first.prepare();
    first.header('CONNECT', 'b.test:443');
    const waiting = second.prepare();
    expect(first.responded(ASKED)).toMatchObject({ code: 'proxy.wrong-password' });
    await expect(waiting).rejects.toMatchObject({ failure: { code: 'proxy.wrong-password' } });
    await vi.advanceTimersByTimeAsync(600_000);
    await expect(new ConnectionAuth(at).prepare()).rejects.toMatchObject({ failure: { code: 'proxy.wrong-password' } });
  });
});
