import { type Body, GET, type Http2Case, type Http2CaseResponse, OK, POST, type When } from './case.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'brew', 'X-ODD'];
const methods = METHODS.map(
  (method): Http2Case => ({
    name: `method ${method}`,
    request: [':method', method, ...GET.slice(2)],
    response: OK,
  }),
);

const PATHS = [
  '//',
  '/a//b/../c',
  '/.',
  '/%2f%2F',
  '/a;b=c',
  '/?',
  '/a??b',
  '/?a&a=1&a',
  '/\xe4',
  '/a|b"c',
  '/%00',
  `/${'long/'.repeat(2000)}`,
];
const paths = PATHS.map(
  (path): Http2Case => ({
    name: `path ${JSON.stringify(path).slice(0, 30)}`,
    request: [...GET.slice(0, 7), path],
    response: OK,
  }),
);

const PSEUDO: [name: string, request: string[]][] = [
  ['order of Chrome', [':method', 'GET', ':authority', '{authority}', ':scheme', 'https', ':path', '/']],
  ['order of Firefox', [':method', 'GET', ':path', '/', ':authority', '{authority}', ':scheme', 'https']],
  ['order of Safari', [':method', 'GET', ':scheme', 'https', ':path', '/', ':authority', '{authority}']],
  ['order of curl', [':method', 'GET', ':scheme', 'https', ':authority', '{authority}', ':path', '/']],
  ['path first', [':path', '/', ':scheme', 'https', ':method', 'GET', ':authority', '{authority}']],
  ['host in place of authority', [':method', 'GET', ':scheme', 'https', ':path', '/', 'host', '{authority}']],
  ['host beside authority', [...GET, 'host', '{authority}']],
  ['asterisk', [':method', 'OPTIONS', ':authority', '{authority}', ':scheme', 'https', ':path', '*']],
];
const pseudo = PSEUDO.map(
  ([name, request]): Http2Case => ({ name: `pseudo-header fields: ${name}`, request, response: OK }),
);

function many(count: number, size: number): string[] {
  return Array.from({ length: count }, (_, index) => [`x-${index}`, 'v'.repeat(size)]).flat();
}

const FIELDS: [name: string, fields: string[]][] = [
  ['order', ['b', '1', 'a', '2', 'c', '3', 'a-b', '4']],
  ['duplicates', ['x-a', '1', 'x-b', '2', 'x-a', '1', 'x-a', '3']],
  ['single-value fields twice', ['etag', '1', 'etag', '2', 'user-agent', 'a', 'user-agent', 'b']],
  ['empty values', ['x-empty', '', 'x-other', '']],
  ['cookie crumbs', ['cookie', 'a=1', 'x', 'y', 'cookie', 'b=2', 'cookie', 'c=3']],
  ['one cookie', ['cookie', 'a=1; b=2; c="3"; d=']],
  ['obs-text', ['x-latin', 'caf\xe9', 'x-bytes', '\x80\xff']],
  ['odd names', ["!#$%&'*+-.^_`|~", '1', '9', '2', '_', '3']],
  ['commas and quotes', ['accept', 'a/b,,c/d;q=0.1,', 'if-none-match', 'W/"x", "y"']],
  ['te', ['te', 'trailers']],
  ['priority', ['priority', 'u=1, i']],
  ['hundred fields', many(100, 5)],
  ['a head of 24 KB', many(4, 6000)],
  ['a head of 60 KB', many(10, 6000)],
  ['a value of 60 KB', ['x-big', 'v'.repeat(60_000)]],
  [
    'browser fields',
    ['sec-ch-ua', '"A";v="1"', 'dnt', '1', 'accept-encoding', 'gzip, br, zstd', 'accept-language', 'en'],
  ],
  ['fields that Node guards', ['__proto__', '1', 'constructor', '2']],
];
const fields = FIELDS.flatMap(([name, list]): Http2Case[] => [
  { name: `request fields: ${name}`, request: [...GET, ...list], response: OK },
  { name: `response fields: ${name}`, request: GET, response: { headers: [':status', '200', ...list], body: ['ok'] } },
]);

const cookies: Http2Case[] = [
  {
    name: 'set-cookie thrice',
    request: GET,
    response: { headers: [':status', '200', 'set-cookie', 'a=1', 'x', 'y', 'set-cookie', 'b=2', 'set-cookie', 'a=1'] },
  },
  {
    name: 'never indexed',
    request: [...GET, 'authorization', 'x', 'x-a', 'b'],
    sensitive: ['authorization'],
    response: OK,
  },
];

const KIB = 1024;
const BODIES: [name: string, body: Body][] = [
  ['empty', []],
  ...[1, 1024, 16_383, 16_384, 16_385, 65_535, 65_536, KIB * KIB, 20 * KIB * KIB].map((size): [string, Body] => [
    `${size} bytes`,
    [size],
  ]),
  ['in pieces', ['a', 'bc', 70_000, 'd']],
];
const bodies = BODIES.flatMap(([name, body]): Http2Case[] => {
  const size = body.reduce<number>((sum, piece) => sum + (typeof piece === 'number' ? piece : piece.length), 0);
  const length = ['content-length', String(size)];
  const response = { headers: [':status', '200'], body };
  const withLength = { headers: [':status', '200', ...length], body };
  return [
    { name: `body up: ${name}`, request: POST, body, response: OK },
    { name: `body up: ${name}, content-length`, request: [...POST, ...length], body, response: OK },
    { name: `body down: ${name}`, request: GET, response },
    { name: `body down: ${name}, content-length`, request: GET, response: withLength },
  ];
});

const TRAILERS = { 'x-sum': '1', 'x-two': ['a', 'b'], 'server-timing': 'a;dur=1' };
const trailers: Http2Case[] = [
  { name: 'trailers up', request: POST, body: ['body'], trailers: TRAILERS, response: OK },
  { name: 'trailers up, no body', request: POST, body: [], trailers: TRAILERS, response: OK },
  {
    name: 'trailers up, announced',
    request: [...POST, 'trailer', 'x-sum', 'content-length', '4'],
    body: ['body'],
    trailers: TRAILERS,
    response: OK,
  },
  { name: 'trailers down', request: GET, response: { ...OK, trailers: TRAILERS } },
  {
    name: 'trailers down, no body',
    request: GET,
    response: { headers: [':status', '200'], body: [], trailers: TRAILERS },
  },
  {
    name: 'trailers down, announced',
    request: GET,
    response: {
      headers: [':status', '200', 'trailer', 'x-sum', 'content-length', '2'],
      body: ['ok'],
      trailers: TRAILERS,
    },
  },
  {
    name: 'trailers down behind a content-length',
    request: GET,
    response: { headers: [':status', '200', 'content-length', '2'], body: ['ok'], trailers: TRAILERS },
  },
  {
    name: 'trailers up behind a content-length',
    request: [...POST, 'content-length', '4'],
    body: ['body'],
    trailers: TRAILERS,
    response: OK,
  },
  {
    name: 'trailers both ways',
    request: POST,
    body: [50_000],
    trailers: TRAILERS,
    response: { headers: [':status', '200'], body: [50_000], trailers: TRAILERS },
  },
];

const STATUSES = [200, 201, 204, 205, 206, 301, 304, 400, 401, 404, 407, 418, 421, 425, 429, 500, 502, 503, 599];
const statuses = STATUSES.flatMap((status): Http2Case[] => [
  {
    name: `status ${status}, END_STREAM on the head`,
    request: GET,
    response: { headers: [':status', String(status), 'x', 'y'] },
  },
  ...(status === 204 || status === 205 || status === 304
    ? []
    : [
        {
          name: `status ${status} with a body`,
          request: GET,
          response: { headers: [':status', String(status)], body: ['body'] },
        },
      ]),
]);

const HEAD = [':method', 'HEAD', ...GET.slice(2)];
const heads: Http2Case[] = [
  {
    name: 'HEAD with a content-length',
    request: HEAD,
    response: { headers: [':status', '200', 'content-length', '1234'] },
  },
  { name: 'HEAD without', request: HEAD, response: { headers: [':status', '200', 'content-type', 'a/b'] } },
  {
    name: '304 with a content-length',
    request: GET,
    response: { headers: [':status', '304', 'content-length', '1234'] },
  },
];

const informational: Http2Case[] = [
  { name: '103', request: GET, response: { ...OK, informational: [{ ':status': '103', link: ['</a>', '</b>'] }] } },
  {
    name: '102, 103, 103',
    request: GET,
    response: {
      ...OK,
      informational: [{ ':status': '102' }, { ':status': '103', link: '</a>' }, { ':status': '103', link: '</b>' }],
    },
  },
  {
    name: '100 for an expectation',
    request: [...POST, 'expect', '100-continue'],
    body: ['x'],
    response: { ...OK, early: true, informational: [{ ':status': '100' }] },
  },
];

const CODES = Array.from({ length: 14 }, (_, code) => code);
const WHENS: When[] = ['at once', 'behind the head', 'behind the body'];
function responseFor(when: When, reset?: Http2CaseResponse['reset']): Http2CaseResponse {
  const base: Http2CaseResponse = {
    headers: [':status', '200'],
    ...(when === 'behind the body' ? { body: ['some'] } : { body: [] }),
  };
  return reset ? { ...base, reset } : { ...base, stays: true };
}
const resets = WHENS.flatMap((when) =>
  CODES.flatMap((code): Http2Case[] => {
    const client: Http2Case = {
      name: `client resets with ${code} ${when}`,
      request: POST,
      body: [],
      reset: { code, when },
      response: { ...responseFor(when), early: true },
    };
    const origin: Http2Case = {
      name: `origin resets with ${code} ${when}`,
      request: GET,
      response: responseFor(when, { code, when }),
    };
    // Without a response, NO_ERROR says nothing about a request (RFC 9113, section 8.1): Node treats it as an end.
    return code === 0 ? [] : [client, origin];
  }),
);

const early: Http2Case[] = [
  {
    name: 'response before the request is all in',
    request: POST,
    body: ['a', 300_000, 'b'],
    response: { ...OK, early: true },
  },
];

export const HTTP2_CASES: Http2Case[] = [
  ...methods,
  ...paths,
  ...pseudo,
  ...fields,
  ...cookies,
  ...bodies,
  ...trailers,
  ...statuses,
  ...heads,
  ...informational,
  ...resets,
  ...early,
];
