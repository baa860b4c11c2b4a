import { describe, expect, it } from 'vitest';
import {
  field,
  headSize,
  http2FieldObject,
  mayHaveTrailers,
  pseudo,
  rawFields,
} from '../../../../../electron/engine/http/h2-headers.ts';

const FIELDS = [':method', 'GET', ':path', '/', 'x-a', '1', 'cookie', 'a=b', 'x-a', '2', ':late', 'x'];

describe('fields of HTTP/2', () => {
  // RFC 9113, section 8.3: pseudo-header fields stand before all others.
  it('a pseudo-header field behind an ordinary one is none', () => {
    expect(pseudo(FIELDS, ':path')).toBe('/');
    expect(pseudo(FIELDS, ':late')).toBeUndefined();
    expect(pseudo(FIELDS, ':authority')).toBeUndefined();
    expect(pseudo([], ':path')).toBeUndefined();
  });

  it('of a field that comes twice the first counts', () => {
    expect([field(FIELDS, 'x-a'), field(FIELDS, 'x-b')]).toEqual(['1', undefined]);
  });

  it('an object for Node keeps each value, in order', () => {
    expect(http2FieldObject(['b', '1', 'a', '2', 'b', '3', 'b', '4'])).toEqual({ b: ['1', '3', '4'], a: '2' });
    expect(Object.keys(http2FieldObject(['b', '1', 'a', '2']))).toEqual(['b', 'a']);
  });

  it('Node’s raw list is taken as it came, and where there is none the object is spread', () => {
    expect(rawFields({ a: '1' }, ['A', '1', 'A', '2'])).toEqual(['A', '1', 'A', '2']);
    expect(rawFields({ ':path': '/', 'set-cookie': ['a', 'b'] }, undefined)).toEqual([
      ':path',
      '/',
      'set-cookie',
      'a',
      'set-cookie',
      'b',
    ]);
  });

  it('the size is that of the same head over HTTP/1.1, without its first line', () => {
    expect(headSize(['host', 'a.test', 'x', ''])).toBe('host: a.test\r\nx: \r\n\r\n'.length);
  });

  it('trailers may come where the length is not stated, or where they were announced', () => {
    expect(mayHaveTrailers(['content-length', '5'])).toBe(false);
    expect(mayHaveTrailers(['content-length', '5', 'trailer', 'grpc-status'])).toBe(true);
    expect(mayHaveTrailers(['content-type', 'application/grpc'])).toBe(true);
  });
});
