import { describe, expect, it } from 'vitest';
import { field, headSize, pseudo } from '../../../../../electron/engine/http/h2-headers.ts';

const FIELDS = [':method', 'GET', ':path', '/', 'x-a', '1', 'cookie', 'a=b', 'x-a', '2', ':late', 'x'];

describe('fields of HTTP/2', () => {
  // RFC 9113, section 8.3: pseudo-header fields precede all others.
  it('a pseudo-header field after an ordinary one is invalid', () => {
    expect(pseudo(FIELDS, ':path')).toBe('/');
    expect(pseudo(FIELDS, ':late')).toBeUndefined();
    expect(pseudo(FIELDS, ':authority')).toBeUndefined();
    expect(pseudo([], ':path')).toBeUndefined();
  });

  it('the first of two equal fields counts', () => {
    expect([field(FIELDS, 'x-a'), field(FIELDS, 'x-b')]).toEqual(['1', undefined]);
  });

  it('the size is that of the same head over HTTP/1.1, without its first line', () => {
    expect(headSize(['host', 'a.test', 'x', ''])).toBe('host: a.test\r\nx: \r\n\r\n'.length);
  });
});
