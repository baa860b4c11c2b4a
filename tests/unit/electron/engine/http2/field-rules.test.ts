import { describe, expect, it } from 'vitest';
import { requestFault, responseFault, trailersFault } from '../../../../../electron/engine/http2/field-rules.ts';

const of = (lines: Record<string, string>): string[] => Object.entries(lines).flat();
const PSEUDO = { ':method': 'GET', ':scheme': 'https', ':authority': 'a.test', ':path': '/' };
const request = (more: string[] = [], pseudo: Record<string, string> = {}): string[] => [
  ...of({ ...PSEUDO, ...pseudo }),
  ...more,
];
const without = (name: string): string[] =>
  of(Object.fromEntries(Object.entries(PSEUDO).filter(([key]) => key !== name)));

describe('requests that are well-formed', () => {
  it.each([
    ['a plain one', request()],
    ['any order of the pseudo-header fields', of(Object.fromEntries(Object.entries(PSEUDO).reverse()))],
    ['no authority', without(':authority')],
    ['any token as its method', request([], { ':method': "M-SEARCH!#$%&'*+.^_`|~" })],
    ['any scheme', request([], { ':scheme': 'h2c+x-1.0' })],
    ['OPTIONS *', request([], { ':method': 'OPTIONS', ':path': '*' })],
    ['a path of bytes over 127', request([], { ':path': '/\x80\xff?a=|{}"<>\\' })],
    ['CONNECT', [':method', 'CONNECT', ':authority', 'a.test:443']],
    ['te: trailers', request(['te', 'trailers'])],
    ['te: Trailers', request(['te', 'Trailers'])],
    ['a content-length', request(['content-length', '15'])],
    ['one host', request(['host', 'a.test'])],
    ['an empty value', request(['x', ''])],
    ['a value of spaces, tabs and bytes over 127', request(['x', ' \t\x80\xff\x7f '])],
    ['every character of a token as a name', request(["!#$%&'*+-.^_`|~0a", '1'])],
    ['the same name again and again', request(['cookie', 'a', 'cookie', 'b'])],
  ])('%s', (_what, fields) => expect(requestFault(fields, false)).toBeNull());

  it('extended CONNECT, where it was offered', () => {
    const fields = request([], { ':method': 'CONNECT', ':protocol': 'websocket' });
    expect(requestFault(fields, true)).toBeNull();
    expect(requestFault(fields, false)).toBe(':protocol, which was not offered');
  });
});

describe('malformed requests, by fault', () => {
  it.each([
    ['no :method', without(':method')],
    ['no :scheme', without(':scheme')],
    ['no :path', without(':path')],
    ['the :method ""', request([], { ':method': '' })],
    ['the :method "GET /"', request([], { ':method': 'GET /' })],
    ['the :scheme "1x"', request([], { ':scheme': '1x' })],
    ['the :scheme ""', request([], { ':scheme': '' })],
    ['the :path ""', request([], { ':path': '' })],
    ['the :path "x"', request([], { ':path': 'x' })],
    ['the :path "**"', request([], { ':path': '**' })],
    ['the :path "/a b"', request([], { ':path': '/a b' })],
    ['the :path "/\\r\\nx: y"', request([], { ':path': '/\r\nx: y' })],
    ['the :path "/\\u0000"', request([], { ':path': '/\0' })],
    ['the :path "/\x7f"', request([], { ':path': '/\x7f' })],
    ['the :authority "a\\r\\nb"', request([], { ':authority': 'a\r\nb' })],
    ['a second :path', [...of(PSEUDO), ':path', '/']],
    ['the pseudo-header field ":status"', request([], { ':status': '200' })],
    ['the pseudo-header field ":"', request([], { ':': '' })],
    ['the pseudo-header field ":path" after regular fields', request(['x', 'y', ':path', '/'])],
    ['a CONNECT with :scheme or :path', request([], { ':method': 'CONNECT' })],
    [':protocol, which was not offered', request([], { ':protocol': 'websocket' })],
    ['the field name ""', request(['', 'x'])],
    ['the field name "X"', request(['X', 'y'])],
    ['the field name "a b"', request(['a b', 'c'])],
    ['the field name "a:b"', request(['a:b', 'c'])],
    ['the field name "a\\r\\nb"', request(['a\r\nb', 'c'])],
    ['the field name "\xe9"', request(['\xe9', 'c'])],
    ['the field connection, which HTTP/2 does not allow', request(['connection', 'close'])],
    ['the field proxy-connection, which HTTP/2 does not allow', request(['proxy-connection', 'close'])],
    ['the field keep-alive, which HTTP/2 does not allow', request(['keep-alive', '5'])],
    ['the field transfer-encoding, which HTTP/2 does not allow', request(['transfer-encoding', 'chunked'])],
    ['the field upgrade, which HTTP/2 does not allow', request(['upgrade', 'h2c'])],
    ['te: "gzip"', request(['te', 'gzip'])],
    ['te: "trailers, gzip"', request(['te', 'trailers, gzip'])],
    ['the content-length ""', request(['content-length', ''])],
    ['the content-length "-1"', request(['content-length', '-1'])],
    ['the content-length "+1"', request(['content-length', '+1'])],
    ['the content-length "1, 1"', request(['content-length', '1, 1'])],
    ['the content-length "0x1"', request(['content-length', '0x1'])],
    ['the content-length "1234567890123456"', request(['content-length', '1234567890123456'])],
    ['the content-length "1"', request(['content-length', '1', 'content-length', '1'])],
    ['a second host', request(['host', 'a', 'host', 'a'])],
    ['a line break or NUL in the field x', request(['x', 'a\rb'])],
    ['a line break or NUL in the field x', request(['x', 'a\nb'])],
    ['a line break or NUL in the field x', request(['x', '\0'])],
    ['a line break or NUL in the field host', request(['host', '\n'])],
  ])('%s', (fault, fields) => expect(requestFault(fields, false)).toBe(fault));

  it('truncates what it quotes', () => {
    const fault = requestFault(request(['X'.repeat(1000), 'y']), false);
    expect(fault).toBe(`the field name "${'X'.repeat(60)}"`);
  });

  it('judges a repeated name the same, and after many others', () => {
    for (let count = 0; count < 5000; count += 1) requestFault(request([`x-${count}`, 'y', `X-${count}`, 'y']), false);
    expect(requestFault(request(['x-4999', 'y']), false)).toBeNull();
    expect(requestFault(request(['X-1', 'y']), false)).toBe('the field name "X-1"');
    expect(requestFault(request(['X-4999', 'y']), false)).toBe('the field name "X-4999"');
  });
});

describe('responses', () => {
  it.each([
    ['200', [':status', '200', 'x', 'y']],
    ['103', [':status', '103']],
    ['999, which the faces judge', [':status', '999']],
  ])('%s', (_what, fields) => expect(responseFault(fields)).toBeNull());

  it.each([
    ['no :status', []],
    ['no :status', ['x', 'y', ':status', '200']],
    ['the pseudo-header field ":path"', [':path', '/', ':status', '200']],
    ['the :status "101"', [':status', '101']],
    ['the :status "099"', [':status', '099']],
    ['the :status "20"', [':status', '20']],
    ['the :status "2000"', [':status', '2000']],
    ['the :status "+20"', [':status', '+20']],
    ['the :status "200 OK"', [':status', '200 OK']],
    ['a second :status', [':status', '200', ':status', '200']],
    ['the pseudo-header field ":status" after regular fields', [':status', '200', 'x', 'y', ':status', '200']],
    ['the field connection, which HTTP/2 does not allow', [':status', '200', 'connection', 'close']],
    ['a line break or NUL in the field x', [':status', '200', 'x', '\r\n']],
  ])('%s', (fault, fields) => expect(responseFault(fields)).toBe(fault));
});

describe('trailers', () => {
  it.each([
    [null, []],
    [null, ['grpc-status', '0', 'x', '']],
    ['the pseudo-header field ":status" after regular fields', [':status', '200']],
    ['a content-length among the trailers', ['x', 'y', 'content-length', '5']],
    ['a proxy-authorization among the trailers', ['proxy-authorization', 'Basic x']],
    ['the field transfer-encoding, which HTTP/2 does not allow', ['transfer-encoding', 'chunked']],
    ['a line break or NUL in the field x', ['x', '\n']],
  ])('%s', (fault, fields) => expect(trailersFault(fields)).toBe(fault));
});
