import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FramingError, parseRequestLine } from '../../../../../electron/engine/http/h1-head.ts';
import {
  formatAuthority,
  parseAuthority,
  type RequestContext,
  readConnectHead,
  readRequestHead,
} from '../../../../../electron/engine/http/h1-request.ts';
import type { RequestHead } from '../../../../../electron/engine/http/message.ts';

const PROXY: RequestContext = { scheme: 'http', target: null };
const TUNNEL: RequestContext = { scheme: 'https', target: { host: 'a.test', port: 8443 } };

function request(lines: readonly string[], context: RequestContext): RequestHead {
  const text = `${lines.join('\r\n')}\r\n\r\n`;
  return readRequestHead(Buffer.from(text, 'latin1'), text, parseRequestLine(text), context);
}

const wire = (lines: readonly string[], context: RequestContext): string | undefined =>
  request(lines, context).wire?.toString('latin1');

// RFC 3986, section 3.2; RFC 9110, section 4.2
describe('authorities', () => {
  it.each([
    ['a.test', { host: 'a.test', port: 80 }],
    ['a.test:', { host: 'a.test', port: 80 }],
    ['a_b.test:65535', { host: 'a_b.test', port: 65_535 }],
    ['127.0.0.1:1', { host: '127.0.0.1', port: 1 }],
    ['[::1]', { host: '::1', port: 80 }],
    ['[2001:db8::1]:8080', { host: '2001:db8::1', port: 8080 }],
  ])('%s', (text, target) => {
    expect(parseAuthority(text, 80)).toEqual(target);
  });

  it.each([
    '',
    ':80',
    'a:0',
    'a:65536',
    'a:80a',
    'a:-1',
    'a:1:2',
    '::1',
    '[::1',
    '[zz]',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'a,b',
    'a\\b',
    'a\0',
    'a\x7f',
    'user@a',
    'user:pw@a',
    'a@',
  ])('%j is none', (text) => {
    expect(parseAuthority(text, 80)).toBeNull();
  });

  it('a formatted request is read back the same', () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV6().filter((each) => !each.includes('.')),
    );
    fc.assert(
      fc.property(host, fc.integer({ min: 1, max: 65_535 }), fc.constantFrom('http', 'https'), (name, port, scheme) => {
        const standard = scheme === 'https' ? 443 : 80;
        expect(parseAuthority(formatAuthority(scheme, name, port), standard)).toEqual({ host: name, port });
      }),
    );
  });
});

// RFC 9112, section 3.2
describe('a request to the proxy', () => {
  it('is sent to its target in origin form, without fields for the proxy', () => {
    const lines = [
      'GET http://a.test:81/x?y HTTP/1.1',
      'X-b: 2',
      'HOST:  a.test:81',
      'Proxy-Connection: keep-alive',
      'x-A:',
      'proxy-authorization: Basic eDp5',
      'X-b: 1',
    ];
    expect(request(lines, PROXY)).toMatchObject({ host: 'a.test', port: 81, path: '/x?y', authority: 'a.test:81' });
    expect(wire(lines, PROXY)).toBe('GET /x?y HTTP/1.1\r\nX-b: 2\r\nHOST:  a.test:81\r\nx-A:\r\nX-b: 1\r\n\r\n');
  });

  it.each([
    ['GET http://a.test HTTP/1.1', '/'],
    ['GET http://a.test?q HTTP/1.1', '/?q'],
    ['GET HTTP://a.test//b/../c HTTP/1.1', '//b/../c'],
    ['OPTIONS http://a.test HTTP/1.1', '*'],
    ['OPTIONS http://a.test/ HTTP/1.1', '/'],
  ])('%s asks for %s', (line, path) => {
    expect(wire([line, 'Host: a.test'], PROXY)).toBe(
      `${line.split(' ', 1)[0]} ${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`,
    );
  });

  // RFC 9112, section 3.2.2: the target counts, and Host is set to match it.
  it.each([
    ['Host: b.test', 'Host: a.test'],
    ['Host: a.test:81', 'Host: a.test'],
    ['Host:', 'Host: a.test'],
  ])('%j becomes %j where the target names another', (line, corrected) => {
    expect(wire(['GET http://a.test/ HTTP/1.1', line], PROXY)).toBe(`GET / HTTP/1.1\r\n${corrected}\r\n\r\n`);
  });

  it('Host is added to HTTP/1.0, and left unchanged if it means the same', () => {
    expect(wire(['GET http://a.test/ HTTP/1.0'], PROXY)).toBe('GET / HTTP/1.0\r\nHost: a.test\r\n\r\n');
    expect(wire(['GET http://a.test/ HTTP/1.1', 'host: A.TEST:80'], PROXY)).toBe(
      'GET / HTTP/1.1\r\nhost: A.TEST:80\r\n\r\n',
    );
  });

  it.each([
    '/',
    '*',
    'a.test',
    'ftp://a.test/',
    'http:///x',
    'http://user@a.test/',
    'http://a.test:99999/',
    '//a.test/',
  ])('target %s names no host', (target) => {
    expect(() => request([`GET ${target} HTTP/1.1`, 'Host: a.test'], PROXY)).toThrow(FramingError);
  });
});

describe('a request inside a tunnel', () => {
  it('keeps every byte', () => {
    const lines = ['GET //a/../b%2f;c? HTTP/1.1', 'hOsT: a.test:8443', 'X:  two  spaces\t', 'Proxy-Connection: x'];
    expect(wire(lines, TUNNEL)).toBe(`${lines.join('\r\n')}\r\n\r\n`);
    expect(request(lines, TUNNEL)).toMatchObject({ host: 'a.test', port: 8443, authority: 'a.test:8443' });
  });

  it('shows the host that the client named, and goes where the tunnel goes', () => {
    expect(request(['GET / HTTP/1.1', 'Host: b.test'], TUNNEL)).toMatchObject({ host: 'a.test', authority: 'b.test' });
  });

  it('any valid head passes unchanged', () => {
    const name = fc.stringMatching(/^X-[A-Za-z0-9_.-]{1,10}$/);
    const value = fc.stringMatching(/^[\x20-\x7e\t\x80-\xff]{0,30}$/);
    const target = fc.stringMatching(/^\/[\x21-\x7e\x80-\xff]{0,30}$/);
    fc.assert(
      fc.property(target, fc.array(fc.tuple(name, value)), (path, fields) => {
        const lines = [`PATCH ${path} HTTP/1.1`, 'Host: a.test', ...fields.map(([each, of]) => `${each}:${of}`)];
        expect(wire(lines, TUNNEL)).toBe(`${lines.join('\r\n')}\r\n\r\n`);
      }),
    );
  });
});

// RFC 9112, section 3.2: two hosts, or none that can be one, are a 400.
describe('Host', () => {
  it.each([
    ['GET / HTTP/1.1'],
    ['GET / HTTP/1.1', 'Host: a.test', 'Host: a.test'],
    ['GET / HTTP/1.1', 'Host: a.test', 'hOST: b.test'],
    ['GET / HTTP/1.1', 'Host: a.test, b.test'],
    ['GET / HTTP/1.1', 'Host: a.test b.test'],
    ['GET / HTTP/1.1', 'Host: user@a.test'],
    ['GET / HTTP/1.1', 'Host: a.test/x'],
    ['GET / HTTP/1.1', 'Host: a.test:b'],
  ])('%j is refused', (...lines) => {
    expect(() => request(lines, TUNNEL)).toThrow(FramingError);
  });

  it('HTTP/1.0 needs none, and an empty one is allowed', () => {
    expect(request(['GET / HTTP/1.0'], TUNNEL).authority).toBe('a.test:8443');
    expect(request(['GET / HTTP/1.1', 'Host:'], TUNNEL).authority).toBe('a.test:8443');
  });
});

// RFC 9110, section 9.3.6
describe('CONNECT', () => {
  const connect = (...lines: string[]): ReturnType<typeof readConnectHead> => {
    const text = `${['CONNECT a.test:443 HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n`;
    return readConnectHead(text, parseRequestLine(text));
  };

  it('names its target', () => {
    expect(connect('Host: a.test:443', 'X: y')).toMatchObject({
      target: 'a.test:443',
      headers: ['Host', 'a.test:443', 'X', 'y'],
    });
    expect(connect('Content-Length: 0').size).toBe(50);
  });

  it.each([
    ['Content-Length: 5'],
    ['Transfer-Encoding: chunked'],
    ['Content-Length: 0', 'Content-Length: 0'],
    ['Host : a.test'],
    ['Host: a.test:443', 'Host: b.test:443'],
  ])('%j is refused', (...lines) => {
    expect(() => connect(...lines)).toThrow(FramingError);
  });

  it("inside a tunnel it is a request to the tunnel's server, without a body either", () => {
    const head = request(['CONNECT b.test:443 HTTP/1.1', 'Host: b.test:443'], TUNNEL);
    expect(head).toMatchObject({ method: 'CONNECT', path: 'b.test:443', host: 'a.test', port: 8443 });
    expect(() => request(['CONNECT b.test:443 HTTP/1.1', 'Host: b.test:443', 'Content-Length: 5'], TUNNEL)).toThrow(
      FramingError,
    );
  });
});
