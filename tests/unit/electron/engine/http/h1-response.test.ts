import { describe, expect, it } from 'vitest';
import { FramingError } from '../../../../../electron/engine/http/h1-head.ts';
import { readResponseHead } from '../../../../../electron/engine/http/h1-response.ts';
import type { ResponseHead } from '../../../../../electron/engine/http/message.ts';

function response(lines: readonly string[], method = 'GET'): ResponseHead {
  return readResponseHead(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), { method }, {});
}

describe('a response head', () => {
  it('is kept byte for byte beside what it says', () => {
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

  it('to HEAD it has no body, whatever it says of one', () => {
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
});
