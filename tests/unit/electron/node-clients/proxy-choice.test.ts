import { describe, expect, it } from 'vitest';
import { proxyChoice } from '../../../../electron/node-clients/proxy-choice.ts';

const PROXY = 'http://127.0.0.1:8080';
const target = (host: string, port = 443, secure = true) => ({ host, port, secure });

describe('proxyChoice', () => {
  it('takes the variable of the scheme, the lower-case one first, with its login', () => {
    const choose = proxyChoice({
      http_proxy: '',
      HTTP_PROXY: 'u%20:p@[::1]',
      https_proxy: PROXY,
      HTTPS_PROXY: 'http://x',
    });
    expect(choose(target('a.test', 80, false))).toEqual({
      host: '::1',
      port: 80,
      authorization: `Basic ${Buffer.from('u :p').toString('base64')}`,
    });
    expect(choose(target('a.test'))).toEqual({ host: '127.0.0.1', port: 8080, authorization: null });
  });

  it.each(['', 'https://a.test', 'socks5://a.test:1080', 'http://['])('takes no proxy from "%s"', (text) => {
    expect(proxyChoice({ https_proxy: text })(target('b.test'))).toBeNull();
  });

  it.each<[entry: string, host: string, port: number, direct: boolean]>([
    ['*', 'a.test', 443, true],
    ['a.test', 'A.test', 443, true],
    ['a.test', 'b.a.test', 443, false],
    ['.a.test', 'b.a.test', 443, true],
    ['.a.test', 'a.test', 443, true],
    ['*.a.test', 'b.a.test', 443, true],
    ['*.a.test', 'ba.test', 443, false],
    ['a.test:8443', 'a.test', 443, false],
    ['a.test:8443', 'a.test', 8443, true],
    ['b.test, a.test', 'a.test', 443, true],
    ['::1', '::1', 443, true],
    ['[::1]:1', '::1', 443, false],
    ['[::1]:443', '::1', 443, true],
  ])('with NO_PROXY %s reaches %s:%i directly: %s', (entry, host, port, direct) => {
    expect(proxyChoice({ https_proxy: PROXY, NO_PROXY: entry })(target(host, port)) === null).toBe(direct);
  });

  it('reaches the proxy itself directly, under each of its names', () => {
    const choose = proxyChoice({ http_proxy: PROXY });
    expect(choose(target('localhost', 8080, false))).toBeNull();
    expect(choose(target('localhost', 8081, false))).not.toBeNull();
    expect(choose(target('a.test', 8080, false))).not.toBeNull();
  });
});
