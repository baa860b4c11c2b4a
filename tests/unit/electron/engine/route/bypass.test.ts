import { describe, expect, it } from 'vitest';
import { BypassList } from '../../../../../electron/engine/route/bypass.ts';

describe('hosts that go without a proxy', () => {
  // Those of curl's own tests (tests/unit/unit1614.c), and the words of desktops.
  it.each([
    ['example.com', 'www.example.com', true],
    ['example.com', 'EXAMPLE.com.', true],
    ['.example.com', 'example.com', true],
    ['example.com.', 'example.com', true],
    ['ample.com', 'example.com', false],
    ['a.test, b.test', 'b.test', true],
    ['a.test b.test', 'b.test', true],
    ['*', 'anything.test', true],
    ['*.corp.test', 'a.corp.test', true],
    ['*.corp.test', 'corp.test', false],
    ['192.168.*', '192.168.4.5', true],
    ['192.168.0.0/16', '192.168.4.5', true],
    ['192.168.0.0/16', '192.169.4.5', false],
    ['169.254/16', '169.254.7.7', true],
    ['10.0.0.0/33', '10.0.0.1', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['::1', '::1', true],
    ['[::1]', '::1', true],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', 'fe80::1', false],
    ['<local>', 'intranet', true],
    ['<local>', 'intranet.test', false],
    ['=a.test', 'a.test', true],
    ['=a.test', 'b.a.test', false],
    ['localhost', 'localhost', true],
  ])('%s and %s: %s', (entry, host, expected) => {
    expect(new BypassList([entry]).find(host, 443) !== null).toBe(expected);
  });

  it('reads a port, and names the entry that decided', () => {
    const list = new BypassList(['a.test:8080', 'corp.test']);
    expect([list.find('a.test', 8080), list.find('a.test', 443)]).toEqual(['a.test:8080', null]);
    expect(list.find('www.corp.test', 1)).toBe('corp.test');
    expect(new BypassList(['', ' ']).empty).toBe(true);
  });
});
