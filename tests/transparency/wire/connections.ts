import { get, OK, type WireCase } from './case.ts';
import type { Step } from './script.ts';

const REQUEST: Step = { send: get() };
const HEAD: Step = { until: '\r\n\r\n' };

function informational(name: string, ...heads: string[]): WireCase {
  const client: Step[] = [REQUEST];
  const origin: Step[] = [HEAD];
  for (const [index, head] of heads.entries()) {
    client.push({ until: head }, { tell: `${index}` });
    origin.push({ send: head }, { hear: `${index}` });
  }
  return { name, client: [...client, 'all'], origin: [...origin, { send: OK }] };
}

const EXPECTING = 'POST {target}/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

const informed: WireCase[] = [
  informational('102 processing', 'HTTP/1.1 102 Processing\r\n\r\n'),
  informational('103 early hints', 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nlink: </b.js>\r\n\r\n'),
  informational(
    '103 twice',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n',
  ),
  informational('102, 103, 199', 'HTTP/1.1 102 \r\n\r\n', 'HTTP/1.1 103 X\r\nA: 1\r\n\r\n', 'HTTP/1.1 199 Odd\r\n\r\n'),
  informational('100 that nobody asked for', CONTINUE),
  {
    name: 'expect 100-continue',
    client: [{ send: EXPECTING }, { until: CONTINUE }, { send: 'hello' }, 'all'],
    origin: [HEAD, { send: CONTINUE }, 'all', { send: OK }],
  },
  {
    name: 'expect 100-continue, refused with 417',
    client: [{ send: EXPECTING }, 'ended'],
    origin: [HEAD, { send: 'HTTP/1.1 417 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n' }, 'end'],
  },
  {
    name: 'expect 100-continue, client does not wait',
    client: [{ send: `${EXPECTING}hello` }, 'all'],
    origin: ['all', { send: CONTINUE + OK }],
  },
  {
    name: 'expect 100-continue, body asked for with 100 and fields',
    client: [{ send: EXPECTING }, { until: 'X: 1\r\n\r\n' }, { send: 'hello' }, 'all'],
    origin: [HEAD, { send: 'HTTP/1.1 100 Go on\r\nX: 1\r\n\r\n' }, 'all', { send: OK }],
  },
  {
    name: '103 and the response in one write',
    client: [REQUEST, 'all'],
    origin: [HEAD, { send: `HTTP/1.1 103 E\r\nA: 1\r\n\r\n${OK}` }],
  },
];

function sequence(count: number): WireCase {
  const client: Step[] = [];
  const origin: Step[] = [];
  for (let index = 0; index < count; index += 1) {
    client.push({ send: get('', `/${index}`) }, { until: 'ok' });
    origin.push(HEAD, { send: OK });
  }
  return { name: `${count} requests on one connection`, client, origin };
}

function responses(count: number): Step[] {
  return Array.from({ length: count }, () => [HEAD, { send: OK }] satisfies Step[]).flat();
}

/** In the version of a request line. */
const SPLIT = 'GET {target}/2 HTT'.length;

function pipelined(name: string, ...requests: string[]): WireCase {
  return {
    name: `pipelined: ${name}`,
    client: [{ send: requests.join('') }, 'all'],
    origin: responses(requests.length),
  };
}

const pipelines: WireCase[] = [
  pipelined('two', get('', '/1'), get('', '/2')),
  pipelined('fifty', ...Array.from({ length: 50 }, (_, index) => get('', `/${index}`))),
  pipelined('with bodies', 'POST {target}/1 HTTP/1.1\r\nHost: {host}\r\nContent-Length: 3\r\n\r\nabc', get('', '/2')),
  pipelined('HEAD between', get('', '/1'), get('', '/2').replace('GET', 'PUT'), get('', '/3')),
  {
    name: 'pipelined: the last one closes',
    client: [{ send: get('', '/1') + get('Connection: close\r\n', '/2') }, 'ended'],
    origin: [...responses(2), 'end'],
  },
  {
    name: 'pipelined: split in the middle of the second head',
    client: [
      { send: get('', '/1') + get('', '/2').slice(0, SPLIT) },
      { until: 'ok' },
      { send: get('', '/2').slice(SPLIT) },
      'all',
    ],
    origin: responses(2),
  },
];

const EVENTS = [
  'data: 1\n\n',
  ': ping\n\n',
  'event: x\nid: 2\ndata: a\ndata: b\n\n',
  'retry: 10\r\n\r\n',
  'data: \xc3\xa9\n\n',
  'data\n\n',
];

/** Each event is sent only when the one before it has been seen. */
function events(name: string, head: string, frame: (event: string) => string, tail: Step[]): WireCase {
  const client: Step[] = [{ send: get('Accept: text/event-stream\r\n') }];
  const origin: Step[] = [HEAD, { send: head }];
  for (const [index, event] of EVENTS.entries()) {
    client.push({ until: event }, { tell: `${index}` });
    origin.push({ send: frame(event) }, { hear: `${index}` });
  }
  return { name, client: [...client, tail.includes('end') ? 'ended' : 'all'], origin: [...origin, ...tail] };
}

const SSE = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n';
const streaming: WireCase[] = [
  events(
    'SSE, chunked',
    `${SSE}Transfer-Encoding: chunked\r\n\r\n`,
    (event) => `${event.length.toString(16)}\r\n${event}\r\n`,
    [{ send: '0\r\n\r\n' }],
  ),
  events('SSE, until the end', `${SSE}Connection: close\r\n\r\n`, (event) => event, ['end']),
  {
    name: 'the head comes alone, its body later',
    client: [REQUEST, { until: '\r\n\r\n' }, { tell: 'head' }, 'all'],
    origin: [HEAD, { send: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n' }, { hear: 'head' }, { send: 'ok' }],
  },
  {
    name: 'request and response bodies at once',
    client: [
      { send: 'POST {target}/ HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nping\r\n' },
      { until: 'pong' },
      { send: '5\r\nagain\r\n' },
      { until: 'there' },
      { send: '0\r\n\r\n' },
      'all',
    ],
    origin: [
      { until: 'ping' },
      { send: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npong\r\n' },
      { until: 'again' },
      { send: '5\r\nthere\r\n' },
      { until: '0\r\n\r\n' },
      { send: '0\r\n\r\n' },
    ],
  },
];

const UPGRADE = 'Connection: Upgrade\r\nUpgrade: thing/1\r\n';
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nupgrade: thing/1\r\n\r\n';
const upgrades: WireCase[] = [
  {
    name: 'upgrade, bytes both ways, ended by the origin',
    client: [{ send: get(UPGRADE) }, { until: SWITCHED }, { send: '\x00\xff\r\n\r\nGET' }, 'ended'],
    origin: [HEAD, { send: SWITCHED }, { until: 'GET' }, { send: 'HTTP/1.1 400 not HTTP any more\x00' }, 'end'],
  },
  {
    name: 'upgrade, bytes right behind the 101',
    client: [{ send: get(UPGRADE) }, 'ended'],
    origin: [HEAD, { send: `${SWITCHED}first` }, 'end'],
  },
  {
    name: 'upgrade, ended by the client',
    client: [{ send: get(UPGRADE) }, { until: SWITCHED }, { send: 'bye' }, 'end', 'ended'],
    origin: [HEAD, { send: SWITCHED }, { until: 'bye' }, 'ended', 'end'],
  },
  {
    name: 'upgrade refused',
    client: [{ send: get(UPGRADE) }, { until: '\r\n\r\n' }, { send: get() }, { until: 'ok' }],
    origin: [HEAD, { send: 'HTTP/1.1 426 No\r\nContent-Length: 0\r\n\r\n' }, HEAD, { send: OK }],
  },
];

const halfClosed: WireCase[] = [
  {
    name: 'half-closed client',
    client: [REQUEST, 'end', { until: 'ok' }, 'ended'],
    origin: [HEAD, 'ended', { send: OK }, 'end'],
  },
  {
    name: 'half-closed client, the response takes its time',
    client: [REQUEST, 'end', { until: 'one' }, { tell: 'one' }, 'ended'],
    origin: [
      HEAD,
      { send: 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none' },
      { hear: 'one' },
      { send: 'two' },
      'end',
    ],
  },
  {
    name: 'client cuts its body short',
    client: [
      { send: 'POST {target}/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 50\r\n\r\nhalf' },
      { hear: 'half' },
      'destroy',
    ],
    origin: [{ until: 'half' }, { tell: 'half' }, 'ended'],
  },
  {
    name: 'client leaves before the response',
    client: [REQUEST, { hear: 'request' }, 'destroy'],
    origin: [HEAD, { tell: 'request' }, 'ended'],
  },
  {
    name: 'client leaves in the middle of the response',
    client: [REQUEST, { until: 'one' }, 'destroy'],
    origin: [HEAD, { send: 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none' }, 'ended'],
  },
  {
    name: 'response before the whole request, then closed',
    client: [{ send: 'POST {target}/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 50\r\n\r\nhalf' }, 'ended'],
    origin: [
      { until: 'half' },
      { send: 'HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno' },
      'end',
    ],
  },
  {
    name: 'response before the whole request, closed without a word',
    client: [{ send: 'POST {target}/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 50\r\n\r\nhalf' }, 'ended'],
    origin: [{ until: 'half' }, { send: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno' }, 'end'],
  },
  {
    name: 'response before the whole request, which goes on',
    client: [
      { send: 'POST {target}/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 8\r\n\r\nhalf' },
      { until: 'early' },
      { send: 'rest' },
      { send: get('', '/2') },
      { until: 'ok' },
    ],
    origin: [
      { until: 'half' },
      { send: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly' },
      { until: 'rest' },
      HEAD,
      { send: OK },
    ],
  },
];

const lastRequests: WireCase[] = [
  {
    name: 'connection close from the client, closed by the origin',
    client: [{ send: get('Connection: close\r\n') }, 'ended'],
    origin: ['all', { send: OK }, 'end'],
  },
  {
    name: 'HTTP/1.0 request, closed by the origin',
    client: [{ send: 'GET {target}/ HTTP/1.0\r\nHost: {host}\r\n\r\n' }, 'ended'],
    origin: ['all', { send: 'HTTP/1.0 200 OK\r\n\r\nbody until the end' }, 'end'],
  },
];

/** What a connection does: informational responses, pipelines, streams, upgrades, ends. */
/** Seconds for the minutes of real ones; what ends them is `Limits.responseSilence`, 15 minutes. */
const longPolls: WireCase[] = [
  {
    name: 'long poll: silence before the head',
    client: [REQUEST, 'all'],
    origin: [HEAD, { silence: 3_000 }, { send: OK }],
  },
  {
    name: 'long poll: silence before the body, and inside it',
    client: [REQUEST, 'all'],
    origin: [
      HEAD,
      { send: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' },
      { silence: 2_000 },
      { send: '2\r\nok\r\n' },
      { silence: 1_000 },
      { send: '0\r\n\r\n' },
    ],
  },
];

export const CONNECTION_CASES: WireCase[] = [
  ...longPolls,
  ...informed,
  sequence(2),
  sequence(20),
  ...pipelines,
  ...streaming,
  ...upgrades,
  ...halfClosed,
  ...lastRequests,
];
