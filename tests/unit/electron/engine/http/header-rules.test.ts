import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFields } from '../../../../../electron/engine/http/h1-head.ts';
import {
  fieldsToHttp2,
  lastChunk,
  proxiedHeadToOrigin,
  requestHeadBytes,
  requestToHttp1,
  requestToHttp2,
  responseHeadBytes,
  responseToHttp1,
  responseToHttp2,
  withoutProxyLogin,
} from '../../../../../electron/engine/http/header-rules.ts';
import { NO_BODY_FRAMING } from '../../../../../electron/engine/http/message.ts';

const UNCHANGED = { host: null, extra: '' };
const head = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;

// RFC 9110, section 7.6; RFC 9112, section 3.2
describe('a head to the proxy, as the origin gets it', () => {
  it('loses the fields for the proxy, and keeps every other byte', () => {
    const text = head([
      'GET http://a.test/ HTTP/1.1',
      'hOsT:a.test',
      'PROXY-Authorization: x',
      'X:  \xe9 ',
      'proxy-connection: y',
    ]);
    expect(proxiedHeadToOrigin(text, '/', UNCHANGED).toString('latin1')).toBe(
      'GET / HTTP/1.1\r\nhOsT:a.test\r\nX:  \xe9 \r\n\r\n',
    );
  });

  it('without any field is a line and an empty one', () => {
    expect(String(proxiedHeadToOrigin('GET http://a.test/ HTTP/1.0\r\n\r\n', '/', UNCHANGED))).toBe(
      'GET / HTTP/1.0\r\n\r\n',
    );
  });

  it('a field whose name only begins like one of those stays', () => {
    const text = head(['GET / HTTP/1.1', 'Proxy-Authorization-Info: x']);
    expect(String(proxiedHeadToOrigin(text, '/', UNCHANGED))).toContain('Proxy-Authorization-Info: x\r\n');
  });

  it('gets one Host where another was asked for', () => {
    const text = head(['GET / HTTP/1.1', 'X: 1', 'Host: b.test', 'host: c.test']);
    expect(String(proxiedHeadToOrigin(text, '/', { host: 'a.test', extra: 'Y: 2\r\n' }))).toBe(
      head(['GET / HTTP/1.1', 'Host: a.test', 'X: 1', 'Y: 2']),
    );
  });
});

it('the login for the proxy is left out of a list, in any case', () => {
  const fields = ['A', '1', 'Proxy-Connection', 'x', 'a', '2', 'pRoxy-authorization', 'y', 'B', '3'];
  expect(withoutProxyLogin(fields)).toEqual(['A', '1', 'Proxy-Connection', 'x', 'a', '2', 'B', '3']);
  const none = ['A', '1', 'Proxy-Authenticatio', 'x'];
  expect(withoutProxyLogin(none)).toBe(none);
});

// RFC 9113, section 8.2.2
describe('fields for HTTP/2', () => {
  it('are in lower case, in order, without those of the connection and those that Connection names', () => {
    const fields = ['X-B', '1', 'Connection', 'keep-alive, X-Hop', 'Keep-Alive', '5', 'x-hop', '2', 'Upgrade', 'h2c'];
    const more = ['Transfer-Encoding', 'chunked', 'Proxy-Connection', 'x', 'Host', 'a.test', 'X-A', '', 'x-b', '3'];
    expect(fieldsToHttp2([...fields, ...more])).toEqual(['x-b', '1', 'x-a', '', 'x-b', '3']);
  });

  it.each([
    ['trailers', ['te', 'trailers']],
    ['gzip, Trailers;q=0.5', ['te', 'trailers']],
    ['gzip', []],
    ['x-trailers', []],
  ])('te: %s becomes %j', (value, fields) => {
    expect(fieldsToHttp2(['TE', value])).toEqual(fields);
  });

  it('never have a name that HTTP/2 forbids', () => {
    const name = fc.constantFrom(
      'Connection',
      'TE',
      'Upgrade',
      'KEEP-ALIVE',
      'X-A',
      'Host',
      'Transfer-Encoding',
      'Cookie',
    );
    const value = fc.constantFrom('close', 'x-a', 'cookie, te', 'trailers', 'gzip', '');
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
        const fields = fieldsToHttp2(pairs.flat());
        for (let index = 0; index < fields.length; index += 2) {
          expect(fields[index]).toMatch(/^(?:te|x-a|cookie)$/);
          if (fields[index] === 'te') expect(fields[index + 1]).toBe('trailers');
        }
      }),
    );
  });

  it('begin with the pseudo-header fields', () => {
    const request = {
      method: 'GET',
      scheme: 'https',
      authority: 'a.test',
      path: '/',
      headers: ['Host', 'a.test', 'X', '1'],
    };
    const fields = requestToHttp2(request);
    expect(fields.filter((_each, index) => index % 2 === 0)).toEqual([
      ':method',
      ':authority',
      ':scheme',
      ':path',
      'x',
    ]);
    expect(responseToHttp2({ status: 404, headers: ['X', '1'], framing: NO_BODY_FRAMING })).toEqual([
      ':status',
      '404',
      'x',
      '1',
    ]);
  });
});

describe('fields for HTTP/1.1', () => {
  const request = { method: 'POST', authority: 'a.test', path: '/x' };

  // RFC 9113, sections 8.2.3 and 8.3.1
  it('have no pseudo-header field, one cookie, and a Host', () => {
    const headers = [':method', 'POST', ':path', '/x', 'cookie', 'a=1', 'x', '1', 'cookie', 'b=2', 'x', '2'];
    expect(String(requestToHttp1({ ...request, headers }, false))).toBe(
      head(['POST /x HTTP/1.1', 'Host: a.test', 'cookie: a=1; b=2', 'x: 1', 'x: 2']),
    );
  });

  it('keep an existing Host, and use chunked if there is no length', () => {
    expect(String(requestToHttp1({ ...request, headers: ['host', 'a.test'] }, true))).toBe(
      head(['POST /x HTTP/1.1', 'host: a.test', 'Transfer-Encoding: chunked']),
    );
  });

  it('a status has its reason phrase, or none', () => {
    expect(String(responseToHttp1(200, [':status', '200', 'x', '1'], ''))).toBe(head(['HTTP/1.1 200 OK', 'x: 1']));
    expect(String(responseToHttp1(299, [], 'Content-Length: 0\r\n'))).toBe(
      head(['HTTP/1.1 299 ', 'Content-Length: 0']),
    );
  });

  it('fields are the same after HTTP/2 and back', () => {
    const name = fc.stringMatching(/^x-[a-z]{1,8}$/);
    const value = fc.stringMatching(/^(?:[\x21-\x7e]{1,12})?$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
        const there = responseToHttp2({ status: 200, headers: pairs.flat(), framing: NO_BODY_FRAMING });
        const text = responseToHttp1(200, there, '').toString('latin1');
        expect(parseFields(text, text.indexOf('\r\n') + 2)).toEqual(pairs.flat());
      }),
    );
  });

  it('trailers end with an empty line, with or without a field', () => {
    expect(String(lastChunk([]))).toBe('0\r\n\r\n');
    expect(String(lastChunk(['grpc-status', '0']))).toBe('0\r\ngrpc-status: 0\r\n\r\n');
  });
});

it('a field without a value has no space in a head that rules changed', () => {
  const headers = ['Host', 'a.test', 'X-Empty', ''];
  const request = { method: 'GET', path: '/', version: 'HTTP/1.1' as const, headers };
  expect(String(requestHeadBytes(request))).toBe(head(['GET / HTTP/1.1', 'Host: a.test', 'X-Empty:']));
  const response = { status: 200, statusText: 'OK', version: 'HTTP/1.1' as const, headers: ['X-Empty', ''] };
  expect(String(responseHeadBytes(response))).toBe(head(['HTTP/1.1 200 OK', 'X-Empty:']));
});
