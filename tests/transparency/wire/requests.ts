import { closing, get, OK, simple, type WireCase } from './case.ts';

const METHODS = [
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE'],
  ...['LOCK', 'UNLOCK', 'SEARCH', 'REPORT', 'PURGE', 'LINK', 'UNLINK', 'BIND', 'ACL', 'QUERY', 'M-SEARCH', 'NOTIFY'],
  ...['SUBSCRIBE', 'SOURCE', 'get', 'pOsT', 'BREW', 'X', "!#$%&'*+-.^_`|~09", 'VERYLONG'.repeat(40)],
];

const methods = METHODS.map((method) =>
  simple(`method ${method.slice(0, 30)}`, `${method} {target}/ HTTP/1.1\r\nHost: {host}\r\n\r\n`),
);

const methodsWithBody = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'BREW'].map((method) =>
  simple(
    `method ${method} with a body`,
    `${method} {target}/b HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\n\r\nhello`,
  ),
);

const TARGETS = [
  ...['//', '//a//b', '/a//b/', '/.', '/..', '/a/../b', '/a/./b', '/../../etc', '/%2e%2e/', '/a%2fb', '/a%2Fb', '/%2F'],
  ...['/a;b', '/a;b=c;d', '/;', '/?', '/a?', '/a??', '/?a', '/?a=', '/?a&a&b', '/?a=1&a=2', '/?&&', '/?=', '/?a=b=c'],
  ...[
    '/a?b?c',
    '/?q=a+b%20c',
    '/?x=%00',
    '/%00',
    '/%',
    '/%zz',
    '/%E4%BD%A0',
    '/%e4%bd%a0',
    '/\xe4\xbd\xa0',
    '/\xff\xfe',
  ],
  ...[
    '/a b'.replace(' ', '%20'),
    '/a|b',
    '/a"b',
    '/a<b>',
    '/a\\b',
    '/a^b`',
    '/{x}',
    '/[x]',
    '/a@b:c',
    '/~x',
    "/a'b(c)*!",
  ],
  ...['/a,b', '/$&+,/:;=?@', '/a:80/', '/http://x.test/', '/?u=http://x.test/?y', `/${'long/'.repeat(1500)}`],
  ...[
    `/?${'q=1&'.repeat(2000)}`,
    '/A/a',
    '/index.html?',
    '/\x80',
    '/a?b;c',
    '/a;/b',
    '/a/..;/b',
    '/..%2f..%2f',
    '/%252e',
  ],
];

const targets = TARGETS.map((target) => simple(`target ${JSON.stringify(target).slice(0, 40)}`, get('', target)));

const FIELDS: [name: string, fields: string][] = [
  ['order', 'B: 1\r\nA: 2\r\nC: 3\r\nA-b: 4\r\n'],
  ['case', 'x-lower: 1\r\nX-UPPER: 2\r\nX-mIxEd: 3\r\nuser-AGENT: me\r\n'],
  ['duplicates', 'X-A: 1\r\nX-A: 2\r\nX-B: 3\r\nX-A: 1\r\n'],
  ['duplicates in another case', 'X-A: 1\r\nx-a: 2\r\nX-a: 3\r\n'],
  ['empty value', 'X-Empty:\r\nX-Blank: \r\nX-Tab:\t\r\n'],
  ['space around values', 'X-A:no-space\r\nX-B:  two  \r\nX-C:\ttab\t\r\nX-D: \t mixed \t \r\n'],
  ['space in values', 'X-A: a  b   c\r\nX-B: a\tb\r\n'],
  ['obs-text', 'X-Latin: caf\xe9\r\nX-Bytes: \x80\x81\xfe\xff\r\n'],
  ['UTF-8', 'X-Utf: \xc3\xa9\xe4\xbd\xa0\xf0\x9f\x98\x80\r\n'],
  [
    'all visible ASCII',
    `X-All: ${Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('')}\r\n`,
  ],
  ['token names', "!#$%&'*+-.^_`|~: 1\r\n9: 2\r\n_: 3\r\nX_under: 4\r\n"],
  ['one-letter names', 'A: 1\r\nb: 2\r\n'],
  ['hundred fields', Array.from({ length: 100 }, (_, index) => `X-${index}: ${index}\r\n`).join('')],
  ['thousand fields', Array.from({ length: 1000 }, (_, index) => `X-${index}: ${index}\r\n`).join('')],
  ['long value', `X-Long: ${'v'.repeat(60_000)}\r\n`],
  ['long name', `${'N'.repeat(8000)}: 1\r\n`],
  ['quoted strings', 'X-Q: "a,b", "c\\"d"\r\nIf-None-Match: W/"x", "y"\r\n'],
  ['commas', 'Accept: text/html,,application/json;q=0.9,\r\nX-C: ,\r\n'],
  ['cookie', 'Cookie: a=1; b=2; c="3"; d=\r\n'],
  ['cookies twice', 'Cookie: a=1\r\nX: y\r\nCookie: b=2\r\n'],
  ['odd cookies', 'Cookie: ;; =; a; a=b=c; \xe9=\xff;x="a b"\r\n'],
  ['big cookie', `Cookie: ${'k=v; '.repeat(3000)}end=1\r\n`],
  ['accept-encoding', 'Accept-Encoding: gzip, deflate, br, zstd\r\n'],
  ['accept-encoding odd', 'accept-encoding: identity;q=0, *;q=0.1\r\n'],
  ['authorization', 'Authorization: Basic dTpw\r\nAuthorization: Bearer x\r\n'],
  ['range', 'Range: bytes=0-1,4-\r\nIf-Range: "x"\r\n'],
  ['conditional', 'If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\nIf-Match: *\r\n'],
  ['forwarded', 'Via: 1.1 other\r\nX-Forwarded-For: 1.2.3.4\r\nForwarded: for=1.2.3.4\r\nMax-Forwards: 0\r\n'],
  ['connection keep-alive', 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n'],
  ['connection named fields', 'Connection: X-Hop, keep-alive\r\nX-Hop: 1\r\n'],
  ['connection odd', 'Connection: ,, Keep-Alive ,foo\r\n'],
  ['connection twice', 'Connection: keep-alive\r\nConnection: x-a\r\nX-A: 1\r\n'],
  ['te', 'TE: trailers, deflate;q=0.5\r\nConnection: TE\r\n'],
  ['upgrade not taken', 'Connection: Upgrade\r\nUpgrade: h2c, websocket\r\n'],
  ['upgrade-insecure-requests', 'Upgrade-Insecure-Requests: 1\r\n'],
  ['trailer without body', 'Trailer: X-T\r\n'],
  ['expect unknown', 'Expect: 200-maybe\r\n'],
  [
    'http2-settings',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n',
  ],
  ['sec headers', 'sec-ch-ua: "A";v="1"\r\nSec-Fetch-Mode: cors\r\nPriority: u=1, i\r\nDNT: 1\r\n'],
  ['origin and referer', 'Origin: null\r\nReferer: http://x.test/?a#b\r\n'],
  ['pragma and cache-control', 'Pragma: no-cache\r\nCache-Control: max-age=0, only-if-cached\r\n'],
  ['content-length zero', 'Content-Length: 0\r\n'],
  ['content-type without body', 'Content-Type: text/plain; charset="x"\r\n'],
  ['field names that Node guards', '__proto__: 1\r\nconstructor: 2\r\ntoString: 3\r\n'],
];

const fields = FIELDS.map(([name, lines]) => simple(`request fields: ${name}`, get(lines)));

const HOSTS: [name: string, head: string][] = [
  ['host last', 'GET {target}/ HTTP/1.1\r\nX-A: 1\r\nHost: {host}\r\n\r\n'],
  ['host lower case', 'GET {target}/ HTTP/1.1\r\nhost: {host}\r\n\r\n'],
  ['host without space', 'GET {target}/ HTTP/1.1\r\nHost:{host}\r\n\r\n'],
  ['host with spaces', 'GET {target}/ HTTP/1.1\r\nHost:   {host} \r\n\r\n'],
  ['HTTP/1.0 keep-alive', 'GET {target}/ HTTP/1.0\r\nHost: {host}\r\nConnection: keep-alive\r\n\r\n'],
  ['OPTIONS with a path', 'OPTIONS {target}/x HTTP/1.1\r\nHost: {host}\r\n\r\n'],
];

const hosts = HOSTS.map(([name, request]) => simple(name, request, OK));

const closed = [
  closing('connection close', get('Connection: close\r\n'), OK),
  closing('HTTP/1.0 with host', 'GET {target}/ HTTP/1.0\r\nHost: {host}\r\n\r\n', OK),
  closing('HTTP/1.0 without host', 'GET {target}/ HTTP/1.0\r\n\r\n', OK),
];

const coded = simple(
  'parameters of a coding before chunked',
  'POST {target}/ HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: gzip;level=9, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
);

const emptyLines: WireCase = {
  name: 'empty lines before a request',
  client: [{ send: `\r\n\r\n${get()}` }, 'all'],
  origin: [{ until: 'GET' }, { until: '\r\n\r\n' }, { send: OK }],
};

const proxyFields: WireCase = {
  name: 'proxy fields',
  client: [
    { send: get('Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic dTpw\r\nProxy-X: 1\r\n') },
    { until: 'ok' },
  ],
  origin: [{ until: '\r\n\r\n' }, { send: OK }],
};

/** Heads of requests: methods, targets, fields. */
export const REQUEST_CASES: WireCase[] = [
  ...methods,
  ...methodsWithBody,
  ...targets,
  ...fields,
  ...hosts,
  ...closed,
  coded,
  emptyLines,
  proxyFields,
];
