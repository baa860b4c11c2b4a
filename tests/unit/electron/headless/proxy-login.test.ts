import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { proxyLogin } from '../../../../electron/headless/proxy-login.ts';

function terminal(typed: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  input.end(typed);
  return { input, output };
}

const through = (url: string) => ({ upstreamProxy: { enabled: true, url } });

describe('the login of a host without a window', () => {
  it('comes from the environment', async () => {
    const env = { ROUNDTRIP_PROXY_USER: 'CORP\\ann', ROUNDTRIP_PROXY_PASSWORD: 's3cret' };
    expect(await proxyLogin({}, env, terminal(''))).toEqual({ user: 'CORP\\ann', password: 's3cret' });
    const named = await proxyLogin(through('http://bob@a.test'), { ROUNDTRIP_PROXY_PASSWORD: 'x' }, terminal(''));
    expect(named).toEqual({ user: 'bob', password: 'x' });
  });

  it('is asked for at a terminal, and not shown', async () => {
    const ends = terminal('s3cret\n');
    expect(await proxyLogin(through('http://ann@proxy.test'), {}, ends)).toEqual({ user: 'ann', password: 's3cret' });
    const shown = String(ends.output.read());
    expect(shown).toContain('Password of ann for the proxy proxy.test');
    expect(shown).not.toContain('s3cret');
  });

  it('is empty if no prompt is possible, or none is needed', async () => {
    expect(await proxyLogin(through('http://ann@a.test'), {}, terminal('x\n', false))).toBeNull();
    expect(await proxyLogin(through('http://ann:pw@a.test'), {}, terminal('x\n'))).toBeNull();
    expect(await proxyLogin(through('http://a.test'), {}, terminal('x\n'))).toBeNull();
    expect(await proxyLogin({}, {}, terminal('x\n'))).toBeNull();
  });
});
