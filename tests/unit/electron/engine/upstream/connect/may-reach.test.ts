import { describe, expect, it } from 'vitest';
import { checkProxyTarget, reachable } from '../../../../../../electron/engine/upstream/connect/may-reach.ts';
import { makeOrigin, type Origin } from '../../../../../../electron/engine/upstream/origin.ts';
import { NO_OVERRIDE } from '../../../../../../shared/model/settings.ts';

const UI_PORT = 9000;
const ours = {
  isOurs: (host: string, port: number) => port === UI_PORT && (host === 'localhost' || host === '127.0.0.1'),
};

function origin(host: string, port: number, outward: boolean, address = ''): Origin {
  const override = address === '' ? null : { ...NO_OVERRIDE, host, address };
  const route = { proxy: null, others: [], reason: '', override };
  return makeOrigin({ scheme: 'http', host, port, serverName: host, alpn: [] }, route, outward);
}

const found = (...addresses: string[]) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('addresses that a host resolved to', () => {
  it('are all open to a client on this machine', () => {
    const all = found('127.0.0.1', '::1', '169.254.1.1', '192.0.2.1');
    expect(reachable(origin('a.test', 80, false), all, ours)).toEqual(all);
  });

  it('lose the local ones for a client elsewhere, at any place in the list', () => {
    const all = found('127.0.0.1', '192.0.2.1', '::ffff:127.0.0.1', '2001:db8::1', 'fe80::1');
    expect(reachable(origin('a.test', 80, true), all, ours)).toEqual(found('192.0.2.1', '2001:db8::1'));
  });

  it('with a reason if none is left', () => {
    const about = reachable(origin('rebound.test', 80, true), found('127.0.0.1', '::1'), ours);
    expect(about).toMatchObject({ code: 'client.local-refused', message: expect.stringContaining('rebound.test:80') });
  });

  it('never lead to ourselves, for any client', () => {
    for (const outward of [false, true])
      expect(reachable(origin('ui.test', UI_PORT, outward), found('127.0.0.1'), ours)).toMatchObject({
        code: 'tunnel.to-itself',
      });
  });
});

describe('what a proxy is asked for', () => {
  const check = (of: Origin, proxy: string): Promise<string> =>
    checkProxyTarget(of, proxy, ours).then(
      () => 'asked',
      (error: { failure: { code: string } }) => error.failure.code,
    );

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '::1',
    '::ffff:127.0.0.1',
    '169.254.169.254',
    'localhost',
    'LOCALHOST.',
  ])('%s is refused to a client elsewhere, and to none here', async (host) => {
    expect(await check(origin(host, 80, true), '192.0.2.9')).toBe('client.local-refused');
    expect(await check(origin(host, 80, false), '192.0.2.9')).toBe('asked');
  });

  it('is what the host’s rules put in its place', async () => {
    expect(await check(origin('a.test', 80, true, '127.0.0.1'), '192.0.2.9')).toBe('client.local-refused');
  });

  it('is resolved here where the proxy runs here', async () => {
    // `a.invalid` resolves nowhere (RFC 6761, section 6.4): only the proxy can know it.
    expect(await check(origin('a.invalid', 80, true), '127.0.0.1')).toBe('asked');
    expect(await check(origin('192.0.2.1', 80, true), '127.0.0.1')).toBe('asked');
  });

  it('is never ourselves', async () => {
    for (const host of ['127.0.0.1', '127.1', '0x7f.1', 'localhost', 'localhost.'])
      expect(await check(origin(host, UI_PORT, false), '192.0.2.9'), host).toBe('tunnel.to-itself');
  });
});
