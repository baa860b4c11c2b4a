import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  connectionFields,
  keepsAlive,
  type OddFraming,
  oddResponseFraming,
  requestFraming,
  responseFraming,
} from '../../../../../electron/engine/http/h1-framing.ts';
import { FramingError } from '../../../../../electron/engine/http/h1-head.ts';
import type { Framing, HttpVersion } from '../../../../../electron/engine/http/message.ts';
import { allHeaders } from '../../../../../shared/model/headers.ts';

const GET = { method: 'GET' };
const ofRequest = (headers: string[], version: HttpVersion = 'HTTP/1.1'): Framing =>
  requestFraming(connectionFields(headers), version);
const ofResponse = (headers: string[], status = 200, method = 'GET', version: HttpVersion = 'HTTP/1.1'): Framing =>
  responseFraming(connectionFields(headers), status, version, { method });

// RFC 9112, section 6.3
describe('the length of a request', () => {
  it.each([
    [[], { kind: 'none' }],
    [['Content-Length', '0'], { kind: 'none' }],
    [['cOnTeNt-LeNgTh', '005'], { kind: 'length', length: 5 }],
    [['Content-Length', '999999999999999'], { kind: 'length', length: 999_999_999_999_999 }],
    [['Transfer-Encoding', 'chunked'], { kind: 'chunked' }],
    [['transfer-encoding', 'CHUNKED'], { kind: 'chunked' }],
    [['Transfer-Encoding', 'gzip ,\tchunked'], { kind: 'chunked' }],
    [['Transfer-Encoding', 'gzip', 'Transfer-Encoding', 'chunked'], { kind: 'chunked' }],
    // RFC 9112, section 7: a compression may have parameters, and every parser finds the `chunked` after it.
    [['Transfer-Encoding', 'gzip;level=9, chunked'], { kind: 'chunked' }],
    [['Transfer-Encoding', 'x-gzip ; a=b;c=d,deflate\t;\te=f , Chunked'], { kind: 'chunked' }],
  ])('%j: %j', (headers, framing) => {
    expect(ofRequest(headers)).toEqual(framing);
  });

  it.each([
    '',
    '+1',
    '-1',
    '0x1',
    '1.0',
    '1e3',
    '1 1',
    '1,1',
    '1, 1',
    '1;',
    '"1"',
    '\x0b1',
    '1\xa0',
    '1_0',
    '9999999999999999',
  ])('Content-Length %j is refused, in responses too', (length) => {
    expect(() => ofRequest(['Content-Length', length])).toThrow(FramingError);
    expect(() => ofResponse(['Content-Length', length])).toThrow(FramingError);
  });

  it('two lengths are refused, even if they are equal', () => {
    for (const second of ['1', '2']) {
      expect(() => ofRequest(['Content-Length', '1', 'content-length', second])).toThrow(FramingError);
      expect(() => ofResponse(['Content-Length', '1', 'content-length', second])).toThrow(FramingError);
    }
  });

  it('a length next to a coding is refused, in either order', () => {
    for (const headers of [
      ['Content-Length', '1', 'Transfer-Encoding', 'chunked'],
      ['Transfer-Encoding', 'chunked', 'Content-Length', '1'],
    ]) {
      expect(() => ofRequest(headers)).toThrow(FramingError);
      expect(() => ofResponse(headers)).toThrow(FramingError);
    }
  });

  it.each(['', 'identity', 'gzip', 'xchunked', 'chunked-', 'cow', 'trailers'])(
    'a coding that does not end in chunked leaves a request without an end: %j',
    (coding) => {
      expect(() => ofRequest(['Transfer-Encoding', coding])).toThrow(FramingError);
    },
  );

  it.each([
    'chunked, chunked',
    'chunked, gzip',
    'chunked,',
    ',chunked',
    'gzip,,chunked',
    'identity, chunked',
    'cow, chunked',
    'gzip chunked',
    'chunked;q=1',
    'gzip, chunked;q=1',
    'gzip;q="a", chunked',
    'gzip;q="a,chunked", chunked',
    'gzip;q, chunked',
    'gzip;=q, chunked',
    'gzip;, chunked',
    'gzip a=b, chunked',
    'cow;q=1, chunked',
    '"chunked"',
    "'chunked' x",
    '\x0bchunked',
    'chunked\x0c',
    '\xa0chunked',
    'chunked\x00',
    '(chunked)',
    'chunked, \x0b',
  ])('a coding that parsers read in two ways is refused, in responses too: %j', (coding) => {
    expect(() => ofRequest(['Transfer-Encoding', coding])).toThrow(FramingError);
    expect(() => ofResponse(['Transfer-Encoding', coding])).toThrow(FramingError);
  });

  // RFC 9112, section 6.1
  it('HTTP/1.0 has no transfer codings', () => {
    expect(() => ofRequest(['Transfer-Encoding', 'chunked'], 'HTTP/1.0')).toThrow(FramingError);
    expect(() => ofResponse(['Transfer-Encoding', 'chunked'], 200, 'GET', 'HTTP/1.0')).toThrow(FramingError);
  });
});

describe('the length of a response', () => {
  it.each([
    ['HEAD', 200, ['Content-Length', '5']],
    ['HEAD', 200, ['Transfer-Encoding', 'chunked']],
    // RFC 9110, section 9.3.6
    ['CONNECT', 200, ['Content-Length', '5']],
    ['CONNECT', 299, ['Transfer-Encoding', 'chunked']],
    ['GET', 204, []],
    ['GET', 304, ['Content-Length', '5']],
    ['GET', 103, []],
    ['GET', 200, ['Content-Length', '0']],
  ])('%s %d has none', (method, status, headers) => {
    expect(ofResponse(headers, status, method)).toEqual({ kind: 'none' });
  });

  it('without a length, and with a coding that is not chunked, it ends with the connection', () => {
    expect(ofResponse([])).toEqual({ kind: 'close' });
    expect(ofResponse(['Transfer-Encoding', 'gzip'])).toEqual({ kind: 'close' });
  });

  it('a request and a response with a stated length agree on it', () => {
    fc.assert(
      fc.property(fc.nat(), (length) => {
        const headers = ['Content-Length', String(length)];
        expect(ofRequest(headers)).toEqual(ofResponse(headers, 200, GET.method));
      }),
    );
  });
});

// RFC 9112, section 6.3: one reading in spite of a fault.
describe('the length of a faulty response', () => {
  const odd = (headers: string[], version: HttpVersion = 'HTTP/1.1', status = 200): OddFraming =>
    oddResponseFraming(connectionFields(headers), allHeaders(headers, 'content-length'), { status, version }, GET);
  const TWICE = 'more than one Content-Length';
  const BESIDE = 'Content-Length beside Transfer-Encoding';
  const IDENTITY = 'Transfer-Encoding: identity';
  const GAP = 'an empty element in Transfer-Encoding';

  it.each([
    [['Content-Length', '5', 'Content-Length', '5'], { kind: 'length', length: 5 }, TWICE],
    [['Content-Length', '5 ,\t5', 'Content-Length', '5'], { kind: 'length', length: 5 }, TWICE],
    [['Content-Length', '0, 0'], { kind: 'none' }, TWICE],
    [['Content-Length', '5', 'Transfer-Encoding', 'chunked'], { kind: 'chunked' }, BESIDE],
    [['Content-Length', 'x', 'Content-Length', '6', 'Transfer-Encoding', 'gzip, chunked'], { kind: 'chunked' }, BESIDE],
    [['Transfer-Encoding', ', chunked'], { kind: 'chunked' }, GAP],
    [['Transfer-Encoding', 'gzip', 'Transfer-Encoding', '', 'Transfer-Encoding', 'chunked'], { kind: 'chunked' }, GAP],
    [['Transfer-Encoding', 'Identity'], { kind: 'close' }, IDENTITY],
    [['Transfer-Encoding', 'identity', 'Content-Length', '5'], { kind: 'length', length: 5 }, IDENTITY],
  ])('%j: %j, %s', (headers, framing, fault) => {
    expect(odd(headers)).toEqual({ framing, fault });
    expect(() => ofResponse(headers)).toThrow(FramingError);
  });

  it.each([
    ['Content-Length', '5', 'Content-Length', '6'],
    ['Content-Length', '5', 'Content-Length', '05'],
    ['Content-Length', '5,,5'],
    ['Content-Length', '5, 5\x0b'],
    ['Content-Length', '+5, +5'],
    ['Content-Length', '5', 'Transfer-Encoding', 'gzip'],
    ['Transfer-Encoding', 'identity, chunked'],
    ['Transfer-Encoding', ''],
    ['Transfer-Encoding', ' , \t'],
    ['Transfer-Encoding', ',\x0b, chunked'],
    ['Transfer-Encoding', 'identity', 'Transfer-Encoding', 'identity'],
  ])('%j is refused: clients read it in two ways', (...headers) => {
    expect(() => odd(headers)).toThrow(FramingError);
  });

  it('chunks on HTTP/1.0 are read, but not with a length', () => {
    expect(odd(['Transfer-Encoding', 'chunked'], 'HTTP/1.0').framing).toEqual({ kind: 'chunked' });
    expect(() => odd(['Transfer-Encoding', 'chunked', 'Content-Length', '5'], 'HTTP/1.0')).toThrow(FramingError);
  });

  it("a response that can't have a body has none, regardless of its fields", () => {
    const invalid = { framing: { kind: 'none' }, fault: 'a Content-Length that is not a number' };
    expect(odd(['Content-Length', 'x'], 'HTTP/1.1', 304)).toEqual(invalid);
    expect(() => ofResponse(['Content-Length', 'x'], 304)).toThrow(FramingError);
    expect(odd(['Content-Length', '5', 'Content-Length', '6'], 'HTTP/1.1', 304)).toEqual({
      framing: { kind: 'none' },
      fault: TWICE,
    });
  });
});

// RFC 9112, section 9.3; RFC 9110, section 7.6.1
describe('whether the connection is kept', () => {
  it.each([
    ['HTTP/1.1', null, true],
    ['HTTP/1.1', 'close', false],
    ['HTTP/1.1', 'Keep-Alive, CLOSE', false],
    ['HTTP/1.1', 'x-close', true],
    ['HTTP/1.1', 'closed', true],
    ['HTTP/1.0', null, false],
    ['HTTP/1.0', 'keep-alive', true],
    ['HTTP/1.0', 'keep-alive, close', false],
  ] as const)('%s with Connection %j: %j', (version, option, goesOn) => {
    expect(keepsAlive(connectionFields(option === null ? [] : ['Connection', option]), version)).toBe(goesOn);
  });

  it('options of several Connection fields count together', () => {
    const fields = connectionFields(['Connection', 'upgrade', 'CONNECTION', ' keep-alive ,close\t']);
    expect(fields).toMatchObject({ upgrade: true, keepAlive: true, close: true });
  });
});
