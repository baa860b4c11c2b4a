import zlib from 'node:zlib';
import { closing, get, simple, type WireCase } from './case.ts';

const CODES = [
  ...[
    200, 201, 202, 203, 206, 207, 208, 226, 300, 301, 302, 303, 305, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407,
  ],
  ...[
    408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 499, 500,
  ],
  ...[501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 599, 600, 999],
];

const codes = CODES.map((code) =>
  simple(`status ${code}`, get(), `HTTP/1.1 ${code} Reason ${code}\r\nContent-Length: 4\r\n\r\nbody`),
);

const STATUS_LINES: [name: string, line: string][] = [
  ['no reason', 'HTTP/1.1 200 '],
  ['no reason and no space', 'HTTP/1.1 200'],
  ['a long reason', `HTTP/1.1 200 ${'why '.repeat(200)}`],
  ['an obs-text reason', 'HTTP/1.1 200 caf\xe9'],
  ['HTTP/1.0 keep-alive', 'HTTP/1.0 200 OK\r\nConnection: keep-alive'],
];

const statusLines = STATUS_LINES.map(([name, line]) =>
  simple(`status line with ${name}`, get(), `${line}\r\nContent-Length: 2\r\n\r\nok`),
);

const FIELDS: [name: string, fields: string][] = [
  ['order and case', 'b: 1\r\nA: 2\r\nC-c: 3\r\nserver: x\r\nDATE: y\r\n'],
  ['duplicates', 'X-A: 1\r\nx-a: 2\r\nVary: a\r\nVary: b\r\nX-A: 1\r\n'],
  ['cookies', 'Set-Cookie: a=1; Path=/\r\nset-cookie: b=2; HttpOnly\r\nSet-Cookie: a=\r\nSet-Cookie: =\xe9\r\n'],
  ['hundred cookies', Array.from({ length: 100 }, (_, index) => `Set-Cookie: c${index}=${index}\r\n`).join('')],
  ['empty values', 'X-Empty:\r\nX-Blank: \r\nX-Tab:\t\r\n'],
  ['space around values', 'X-A:a\r\nX-B:   b   \r\nX-C:\tc\t\r\n'],
  ['obs-text', 'X-Latin: caf\xe9\r\nContent-Disposition: attachment; filename="\xe4\xbd\xa0.txt"\r\n'],
  ['big head', `X-Big: ${'v'.repeat(100_000)}\r\n`],
  ['thousand fields', Array.from({ length: 1000 }, (_, index) => `X-${index}: ${index}\r\n`).join('')],
  ['links', 'Link: </a.css>; rel=preload\r\nLink: </b.js>; rel=preload\r\n'],
  ['connection options', 'Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5, max=100\r\n'],
  ['proxy fields', 'Proxy-Authenticate: Basic\r\nProxy-Connection: keep-alive\r\nVia: 1.1 x\r\nAge: 1\r\n'],
  ['alt-svc and hsts', 'Alt-Svc: h3=":443"; ma=1\r\nStrict-Transport-Security: max-age=1\r\nExpect-CT: x\r\n'],
  ['csp', "Content-Security-Policy: default-src 'none'\r\nNEL: {}\r\nReport-To: {}\r\n"],
  ['www-authenticate', 'WWW-Authenticate: Negotiate\r\nWWW-Authenticate: NTLM\r\n'],
  ['caching', 'ETag: W/"x"\r\nLast-Modified: x\r\nExpires: 0\r\nPragma: p\r\nCache-Control: private,,no-store\r\n'],
  ['upgrade offered', 'Upgrade: h2c\r\nConnection: Upgrade\r\n'],
  ['field names that Node guards', '__proto__: 1\r\nconstructor: 2\r\nhasOwnProperty: 3\r\n'],
];

const fields = FIELDS.map(([name, lines]) =>
  simple(`response fields: ${name}`, get(), `HTTP/1.1 200 OK\r\n${lines}Content-Length: 2\r\n\r\nok`),
);

const text = Buffer.from('the same text again and again '.repeat(500));
const CODED: [name: string, bytes: Buffer][] = [
  ['gzip', zlib.gzipSync(text)],
  ['deflate', zlib.deflateSync(text)],
  ['br', zlib.brotliCompressSync(text)],
  ['zstd', zlib.zstdCompressSync(text)],
  ['gzip, br', zlib.brotliCompressSync(zlib.gzipSync(text))],
  ['gzip with rubbish behind', Buffer.concat([zlib.gzipSync(text), Buffer.from('rubbish')])],
  ['gzip cut short', zlib.gzipSync(text).subarray(0, 40)],
  ['gzip that is none', Buffer.from('plain text')],
  ['unknown', Buffer.from('\x00\x01\x02\xff', 'latin1')],
];

const coded = CODED.flatMap(([name, bytes]) => {
  const coding = name.split(' ', 1)[0]?.replace('gzip,', 'gzip, br');
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\n`;
  const body = bytes.toString('latin1');
  return [
    simple(
      `coded ${name}, length`,
      get('Accept-Encoding: gzip\r\n'),
      `${head}Content-Length: ${bytes.length}\r\n\r\n${body}`,
    ),
    simple(
      `coded ${name}, chunked`,
      get('Accept-Encoding: gzip\r\n'),
      `${head}Transfer-Encoding: chunked\r\n\r\n${bytes.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ),
  ];
});

function withMethod(method: string, fields = ''): string {
  return `${method} {target}/ HTTP/1.1\r\nHost: {host}\r\n${fields}\r\n`;
}

const bodiless = [
  simple('204', get(), 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n'),
  simple('204 with content-length 0', get(), 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n'),
  simple('205 with length 0', get(), 'HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n'),
  simple('205 with a body', get(), 'HTTP/1.1 205 Reset Content\r\nContent-Length: 2\r\n\r\nok'),
  simple('205 chunked', get(), 'HTTP/1.1 205 Reset Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  simple('304', get('If-None-Match: "x"\r\n'), 'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'),
  simple(
    '304 with content-length',
    get('If-None-Match: "x"\r\n'),
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n',
  ),
  simple('304 with transfer-encoding', get(), 'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n'),
  simple('HEAD with content-length', withMethod('HEAD'), 'HTTP/1.1 200 OK\r\nContent-Length: 123456\r\n\r\n'),
  simple('HEAD without content-length', withMethod('HEAD'), 'HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\n'),
  simple('HEAD chunked', withMethod('HEAD'), 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'),
  simple('HEAD 404', withMethod('HEAD'), 'HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n'),
  simple('empty body, length 0', get(), 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  simple('empty body, chunked', get(), 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
];

const ranges = [
  simple(
    'range 206',
    get('Range: bytes=2-5\r\n'),
    'HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 2-5/10\r\nContent-Length: 4\r\n\r\n2345',
  ),
  simple(
    'range multipart',
    get('Range: bytes=0-0,-1\r\n'),
    'HTTP/1.1 206 Partial Content\r\nContent-Type: multipart/byteranges; boundary=x\r\nContent-Length: 19\r\n\r\n' +
      '--x\r\n\r\na\r\n--x--\r\n\r\n',
  ),
  simple(
    'range 416',
    get('Range: bytes=99-\r\n'),
    'HTTP/1.1 416 X\r\nContent-Range: bytes */10\r\nContent-Length: 0\r\n\r\n',
  ),
];

const ENDS = ['end', 'destroy'] as const;
const ended = ENDS.flatMap((end) => [
  closing(`close-delimited, ${end}`, get(), 'HTTP/1.1 200 OK\r\n\r\nall that there is', end),
  closing(`close-delimited and empty, ${end}`, get(), 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n', end),
  closing(`HTTP/1.0 response, ${end}`, get(), 'HTTP/1.0 200 OK\r\nX: 1\r\n\r\nold style', end),
  closing(
    `connection close with length, ${end}`,
    get(),
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok',
    end,
  ),
  closing(
    `connection close, chunked, ${end}`,
    get(),
    'HTTP/1.1 200 OK\r\nconnection: Close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    end,
  ),
]);

/** Bodies cut short, and connections that end without a response. */
const CUT: [name: string, response: string][] = [
  ['length body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this'],
  ['length body before its first byte', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n'],
  ['chunked body in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nonly this'],
  ['chunked body between chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nonly\r\n'],
  ['chunked body before its last CRLF', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nonly\r\n0\r\n'],
  [
    'coded body',
    `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 900\r\n\r\n${zlib.gzipSync('x').toString('latin1')}`,
  ],
  ['response without a byte', ''],
];
const cut = CUT.flatMap(([name, response]) =>
  (['end', 'destroy', 'reset'] as const).map((end) => closing(`cut short: ${name}, ${end}`, get(), response, end)),
);

/**
 * What RFC 9112 forbids senders but defines for recipients. The origin ends the connection: bytes after a fault end it
 * at ours.
 */
const ODD: [name: string, response: string][] = [
  ['a folded field', 'HTTP/1.1 200 OK\r\nX: a\r\n  b\r\n\tc\r\nContent-Length: 2\r\n\r\nok'],
  ['a folded coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
  ['bare LF', 'HTTP/1.1 200 OK\nX: a\nContent-Length: 2\n\nok'],
  ['one bare LF', 'HTTP/1.1 200 OK\r\nX: a\nContent-Length: 2\r\n\r\nok'],
  ['space before a colon', 'HTTP/1.1 200 OK\r\nX : a\r\nContent-Length\t: 2\r\n\r\nok'],
  ['the same length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok'],
  ['the same length in a list', 'HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok'],
  [
    'a length beside chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ],
  ['identity', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nok'],
  ['identity with a length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok'],
  ['a folded trailer', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: a\r\n b\r\n\r\n'],
  ['chunks on HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
  ['an interim response', 'HTTP/1.1 103 E\nLink: a\n\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'],
];
const odd = ODD.map(([name, response]) => closing(`faulty: ${name}`, get(), response));

/** Heads of responses, their codings and ends. */
export const RESPONSE_CASES: WireCase[] = [
  ...codes,
  ...statusLines,
  ...fields,
  ...coded,
  ...bodiless,
  ...ranges,
  ...ended,
  ...cut,
  ...odd,
];
