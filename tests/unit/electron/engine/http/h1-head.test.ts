import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FramingError,
  findHeadEnd,
  parseFields,
  parseRequestLine,
  parseStatusLine,
  skipEmptyLines,
} from '../../../../../electron/engine/http/h1-head.ts';
import { cuts, framingSoup, split } from '../../../../support/split-bytes.ts';

const LIMIT = 1024;
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('where a head ends', () => {
  it.each([
    ['GET / HTTP/1.1\r\n\r\n', 18],
    ['GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\n\r\n', 27],
    ['GET / HTTP/1.1\r\nHost: a\r\n\r', -1],
    ['', -1],
  ])('%j: %d', (text, end) => {
    expect(findHeadEnd(bytes(text), 0, LIMIT)).toBe(end);
  });

  it.each(['GET / HTTP/1.1\n', '\n', 'GET / HTTP/1.1\r\nX: a\nY'])('%j is refused before its end comes', (text) => {
    expect(() => findHeadEnd(bytes(text), 0, LIMIT)).toThrow(FramingError);
  });

  it('the limit is exact to the byte, complete or not, and the fault names the size', () => {
    const head = (size: number): string => `GET / HTTP/1.1\r\nX: ${'a'.repeat(size - 23)}\r\n\r\n`;
    expect(findHeadEnd(bytes(head(LIMIT)), 0, LIMIT)).toBe(LIMIT);
    for (const over of [head(LIMIT + 1), head(LIMIT + 9).slice(0, LIMIT + 1)])
      expect(() => findHeadEnd(bytes(over), 0, LIMIT)).toThrow(expect.objectContaining({ tooLarge: true }));
  });

  // RFC 9112, section 2.2
  it('empty lines before a request are skipped, half of one is not', () => {
    expect(skipEmptyLines(bytes('\r\n\r\nGET'), 0)).toBe(4);
    expect(skipEmptyLines(bytes('\r\n\rGET'), 0)).toBe(2);
    expect(skipEmptyLines(bytes('\nGET'), 0)).toBe(0);
  });
});

// RFC 9112, section 3
describe('request lines', () => {
  it.each([
    ['GET / HTTP/1.1', 'GET', '/', 'HTTP/1.1'],
    ['GET / HTTP/1.0', 'GET', '/', 'HTTP/1.0'],
    ["M!#$%&'*+-.^_`|~9 //a/../b%2f;c? HTTP/1.1", "M!#$%&'*+-.^_`|~9", '//a/../b%2f;c?', 'HTTP/1.1'],
    ['get http://a.test HTTP/1.1', 'get', 'http://a.test', 'HTTP/1.1'],
    // "à" in UTF-8: its second byte is a no-break space in Latin-1.
    ['GET /\xc3\xa0 HTTP/1.1', 'GET', '/\xc3\xa0', 'HTTP/1.1'],
    ['GET /"<>\\^`{|} HTTP/1.1', 'GET', '/"<>\\^`{|}', 'HTTP/1.1'],
  ])('%j', (line, method, target, version) => {
    expect(parseRequestLine(`${line}\r\n\r\n`)).toEqual({ method, target, version });
  });

  it.each([
    'GET  / HTTP/1.1',
    'GET /  HTTP/1.1',
    'GET\t/ HTTP/1.1',
    'GET / HTTP/1.1 ',
    'GET / a HTTP/1.1',
    'GET /\0 HTTP/1.1',
    'GET /\x7f HTTP/1.1',
    'GET /\t HTTP/1.1',
    'GET /\ra HTTP/1.1',
    'GET /\na HTTP/1.1',
    'GE(T / HTTP/1.1',
    'GÉT / HTTP/1.1',
    'GET /',
    'GET HTTP/1.1',
    ' / HTTP/1.1',
    'GET / http/1.1',
    'GET / HTTP/2.0',
    'GET / HTTP/0.9',
    'GET / HTTP/1',
    'GET / HTTP/1.10',
    'GET / HTTP/11.1',
    '',
  ])('%j is refused', (line) => {
    expect(() => parseRequestLine(`${line}\r\n\r\n`)).toThrow(FramingError);
  });
});

// RFC 9112, section 4
describe('status lines', () => {
  it.each([
    ['HTTP/1.1 200 OK', 200, 'OK', 'HTTP/1.1'],
    ['HTTP/1.1 200 ', 200, '', 'HTTP/1.1'],
    ['HTTP/1.1 200', 200, '', 'HTTP/1.1'],
    ['HTTP/1.0 404 Not  here, \xe9', 404, 'Not  here, \xe9', 'HTTP/1.0'],
    ['HTTP/1.1 999 Unheard of', 999, 'Unheard of', 'HTTP/1.1'],
  ])('%j', (line, status, statusText, version) => {
    expect(parseStatusLine(`${line}\r\n\r\n`)).toEqual({ status, statusText, version });
  });

  it.each([
    'HTTP/1.1 20 OK',
    'HTTP/1.1 2000 OK',
    'HTTP/1.1 099 OK',
    'HTTP/1.1 000 OK',
    'HTTP/1.1  200 OK',
    'HTTP/1.1 +20 OK',
    'HTTP/1.1 200OK',
    'HTTP/1.1 200 a\rb',
    'HTTP/1.1 200 a\nb',
    'HTTP/1.1 200 a\0b',
    'HTTP/2.0 200 OK',
    'ICY 200 OK',
    'http/1.1 200 OK',
    '',
  ])('%j is refused', (line) => {
    expect(() => parseStatusLine(`${line}\r\n\r\n`)).toThrow(FramingError);
  });
});

// RFC 9112, section 5; RFC 9110, section 5.5
describe('fields', () => {
  it('keeps order, case, duplicates, empty values and bytes above 0x7f; trims only spaces and tabs', () => {
    const text = 'B: 1\r\na:2\r\nB:\t 1 \t\r\nE:\r\nO: \xe9\xa0\r\nV: \x0bv\x0c\r\n\r\n';
    expect(parseFields(text, 0)).toEqual(['B', '1', 'a', '2', 'B', '1', 'E', '', 'O', '\xe9\xa0', 'V', '\x0bv\x0c']);
  });

  it.each([
    'X : a',
    'X\t: a',
    ' X: a',
    '\tX: a',
    'X a',
    ': a',
    'X(: a',
    'X\xe9: a',
    'X\0: a',
    'X: a\0b',
    'X: a\rb',
    'X: a\nb',
    'X: a\nY: b',
    'X: a\r\n b',
    'X: a\r\n\tb',
    'X:\r\n b',
    'X: a\r',
  ])('%j is refused', (lines) => {
    expect(() => parseFields(`${lines}\r\n\r\n`, 0)).toThrow(FramingError);
    expect(() => parseFields(`Host: a\r\n${lines}\r\n\r\n`, 0)).toThrow(FramingError);
  });

  it('gives back any written head', () => {
    const name = fc.stringMatching(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,12}$/);
    const value = fc.stringMatching(/^(?:[\x21-\x7e\x80-\xff](?:[\x20-\x7e\t\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), fc.constantFrom('', ' ', '\t ', '  '), (fields, space) => {
        const text = fields.map(([each, of]) => `${each}:${space}${of}${space}\r\n`).join('');
        expect(parseFields(`${text}\r\n`, 0)).toEqual(fields.flat());
      }),
    );
  });
});

describe('any bytes in any pieces', () => {
  const soup = framingSoup(['GET / HTTP/1.1', '\r\n', '\r\n', '\r', '\n', 'Host: a', 'X', ':', ' ', '\t', '\0', ': b']);

  /** How a connection parses a head that arrives in pieces. */
  function read(pieces: readonly Buffer[]): string {
    let rest = Buffer.alloc(0);
    try {
      for (const piece of pieces) {
        rest = Buffer.concat([rest, piece]);
        const end = findHeadEnd(rest, 0, 64);
        if (end < 0) continue;
        const text = rest.toString('latin1', 0, end);
        const line = parseRequestLine(text);
        return JSON.stringify([line, parseFields(text, text.indexOf('\r\n') + 2), end]);
      }
    } catch (error) {
      expect(error).toBeInstanceOf(FramingError);
      return 'refused';
    }
    return 'more';
  }

  it('the verdict does not depend on how the bytes were split, and garbage is refused in one way only', () => {
    fc.assert(
      fc.property(soup, cuts(), (all, at) => {
        expect(read(split(all, at))).toBe(read([all]));
      }),
      { numRuns: 2000 },
    );
  });
});
