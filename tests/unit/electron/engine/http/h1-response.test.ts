import { describe, expect, it } from 'vitest';
import { FramingError } from '../../../../../electron/engine/http/h1-head.ts';
import { readResponseHead, takeResponseHead } from '../../../../../electron/engine/http/h1-response.ts';
import type { ResponseHead } from '../../../../../electron/engine/http/message.ts';

function response(lines: readonly string[], method = 'GET'): ResponseHead {
  return readResponseHead(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), { method }, {});
}

describe('a response head', () => {
  it('is kept byte for byte next to its parsed form', () => {
    const head = response(['HTTP/1.1 200 Fine \xe9', 'X-ODD: 1', 'x-odd: \xfc', 'Content-Length: 5']);
    expect(head).toMatchObject({ status: 200, statusText: 'Fine \xe9', framing: { kind: 'length', length: 5 } });
    expect(head.headers).toEqual(['X-ODD', '1', 'x-odd', '\xfc', 'Content-Length', '5']);
    expect(head.wire?.toString('latin1')).toContain('200 Fine \xe9\r\nX-ODD: 1\r\n');
    expect(head.size).toBe(head.wire?.length);
  });

  // RFC 9112, section 9.3
  it.each([
    [['HTTP/1.1 200 OK', 'Content-Length: 1'], true],
    [['HTTP/1.1 200 OK', 'Content-Length: 1', 'Connection: close'], false],
    [['HTTP/1.0 200 OK', 'Content-Length: 1'], false],
    [['HTTP/1.0 200 OK', 'Content-Length: 1', 'Connection: Keep-Alive'], true],
  ])('%j: the connection goes on: %j', (lines, goesOn) => {
    expect(response(lines).keepAlive).toBe(goesOn);
  });

  it('to HEAD it has no body, regardless of its fields', () => {
    expect(response(['HTTP/1.1 200 OK', 'Content-Length: 999'], 'HEAD').framing.kind).toBe('none');
  });

  it.each([
    [['HTTP/1.1 200 OK', 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    [['HTTP/1.1 200 OK', 'Transfer-Encoding: \x0bchunked']],
    [['HTTP/1.0 200 OK', 'Transfer-Encoding: chunked']],
    [['HTTP/1.1 200 OK', 'Content-Length : 1']],
    [['HTTP/1.1 200 OK', 'X: a\nContent-Length: 1']],
    [['']],
  ])('%j is refused', (lines) => {
    expect(() => response(lines)).toThrow(FramingError);
  });

  it('that is faulty is taken whole, and is the last of its connection', () => {
    const bytes = Buffer.from('HTTP/1.1 200 OK\nX : a\n b\nContent-Length: 5\n\nabcde\r\n\r\n');
    const head = takeResponseHead(bytes, { method: 'GET' }, {}, 100);
    expect(head).toMatchObject({
      headers: ['X', 'a b', 'Content-Length', '5'],
      framing: { kind: 'length', length: 5 },
      keepAlive: false,
      fault: 'a line that ends in a bare LF, a space before a colon, a folded field',
    });
    expect(bytes.toString('latin1', head?.size)).toBe('abcde\r\n\r\n');
    expect(takeResponseHead(bytes.subarray(0, 30), { method: 'GET' }, {}, 100)).toBeNull();
  });

  it('that is faulty counts to its own end, not to one in its body, where its size is limited', () => {
    const bytes = Buffer.from(`HTTP/1.1 200 OK\nContent-Length: 500\n\n${'x'.repeat(490)}\r\n\r\n`);
    expect(takeResponseHead(bytes, { method: 'GET' }, {}, 50)?.size).toBe(37);
    expect(() => takeResponseHead(bytes, { method: 'GET' }, {}, 30)).toThrow(
      expect.objectContaining({ tooLarge: true }),
    );
  });
});
