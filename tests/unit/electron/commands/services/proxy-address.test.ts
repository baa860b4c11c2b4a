import { describe, expect, it } from 'vitest';
import {
  joinPassword,
  parseProxyAddress,
  splitPassword,
  withoutPassword,
} from '../../../../../electron/commands/services/proxy-address.ts';
import { proxyLabel } from '../../../../../shared/format/proxy-url.ts';

describe('proxy address', () => {
  it.each([
    ['http://proxy.test:3128', 'http://proxy.test:3128'],
    ['proxy.test:3128', 'http://proxy.test:3128'],
    [' http://[::1]:3128/ ', 'http://[::1]:3128'],
    ['http://proxy.test', 'http://proxy.test:80'],
    ['https://Proxy.test', 'https://proxy.test:443'],
    ['socks5h://ann:x@Proxy.test', 'socks5h://proxy.test:1080'],
    ['socks4a://[::1]:9', 'socks4a://[::1]:9'],
  ])('takes %s', (address, label) => {
    expect(proxyLabel(parseProxyAddress(address))).toBe(label);
  });

  it.each([
    ['', 'it is empty'],
    ['http://', 'it has no host'],
    ['socks6://a.test:1', 'socks6:// is not supported'],
    ['ftp://a.test', 'ftp:// is not supported'],
    ['http://a.test:99999', 'its port is above 65535'],
    ['http://a.test:0', 'its port is 0'],
    ['http://a.test/path', 'it has a path'],
    ['http://a.test?x', 'it has a path'],
    ['http://a b', 'it is not an address'],
  ])('refuses %j', (address, detail) => {
    expect(() => parseProxyAddress(address)).toThrow(expect.objectContaining({ code: 'proxy.bad-address' }));
    expect(() => parseProxyAddress(address)).toThrow(detail);
  });

  it('does not show the password when it refuses', () => {
    expect(() => parseProxyAddress('ftp://user:hunter2@a.test')).toThrow('ftp://user:***@a.test');
    expect(() => splitPassword('http://user:100%@a.test')).toThrow('%25');
    expect(withoutPassword('user:hunter2@a.test:1')).toBe('user:***@a.test:1');
    // Up to the last @, as the address is read.
    expect(withoutPassword('http://user:hun@ter/2@a.test:1')).toBe('http://user:***@a.test:1');
  });

  it('splits a password off and puts it back', () => {
    const { masked, password } = splitPassword('http://user:p%40ss:w@a.test:3128');
    expect(masked).toBe('http://user:***@a.test:3128');
    expect(password).toBe('p@ss:w');
    expect(parseProxyAddress(joinPassword(masked, password)).password).toBe('p@ss:w');
    expect(splitPassword('http://a.test:3128')).toEqual({ masked: 'http://a.test:3128', password: '' });
    expect(splitPassword('')).toEqual({ masked: '', password: '' });
    expect(joinPassword('', 'x')).toBe('');
  });
});
