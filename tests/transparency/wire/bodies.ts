import { OK, type WireCase } from './case.ts';
import type { Step } from './script.ts';

const KIB = 1024;
const SIZES = [
  0,
  1,
  2,
  100,
  1023,
  1024,
  1025,
  4095,
  4096,
  16_383,
  16_384,
  16_385,
  65_535,
  65_536,
  65_537,
  KIB * KIB,
  10 * KIB * KIB,
];

function post(fields: string): string {
  return `POST {target}/ HTTP/1.1\r\nHost: {host}\r\n${fields}\r\n`;
}

function upload(name: string, ...body: [fields: string, ...steps: Step[]]): WireCase {
  const [fields, ...steps] = body;
  return { name, client: [{ send: post(fields) }, ...steps, 'all'], origin: ['all', { send: OK }] };
}

function download(name: string, ...body: [fields: string, ...steps: Step[]]): WireCase {
  const [fields, ...steps] = body;
  const request = 'GET {target}/ HTTP/1.1\r\nHost: {host}\r\n\r\n';
  return {
    name,
    client: [{ send: request }, 'all'],
    origin: ['all', { send: `HTTP/1.1 200 OK\r\n${fields}\r\n` }, ...steps],
  };
}

const BOTH = [
  ['up', upload],
  ['down', download],
] as const;

function chunks(count: number, size: number): Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < count; index += 1) {
    steps.push({ send: `${size.toString(16)}\r\n` }, { fill: size }, { send: '\r\n' });
  }
  return [...steps, { send: '0\r\n\r\n' }];
}

const sized = [...SIZES, 100 * KIB * KIB].flatMap((size) =>
  BOTH.map(([way, make]) => make(`${size} bytes ${way}, length`, `Content-Length: ${size}\r\n`, { fill: size })),
);

const chunked = SIZES.filter((size) => size > 0).flatMap((size) =>
  BOTH.map(([way, make]) =>
    make(`${size} bytes ${way}, chunked`, 'Transfer-Encoding: chunked\r\n', ...chunks(1, size)),
  ),
);

const FALSE_END = '0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n';

const CHUNKED: [name: string, body: string, fields?: string][] = [
  ['many small chunks', `${'1\r\nx\r\n'.repeat(2000)}0\r\n\r\n`],
  ['extensions', '3;name=value\r\nabc\r\n2;a;b="c;d"\r\nde\r\n0;last\r\n\r\n'],
  ['sizes in both cases', `a\r\n${'x'.repeat(10)}\r\nA\r\n${'y'.repeat(10)}\r\n0\r\n\r\n`],
  ['leading zeros', '0003\r\nabc\r\n000\r\n\r\n'],
  [
    'trailers',
    '3\r\nabc\r\n0\r\nX-T: 1\r\nx-t: 2\r\nServer-Timing: a;dur=1\r\n\r\n',
    'Trailer: X-T, Server-Timing\r\n',
  ],
  ['trailers not announced', '3\r\nabc\r\n0\r\nX-Sum:  x \r\nEmpty:\r\n\r\n'],
  ['trailers with obs-text', '0\r\nX-T: caf\xe9\r\n\r\n'],
  [
    'many trailers',
    `1\r\na\r\n0\r\n${Array.from({ length: 100 }, (_, index) => `T-${index}: ${index}\r\n`).join('')}\r\n`,
  ],
  ['bytes that look like ends', `${FALSE_END.length.toString(16)}\r\n${FALSE_END}\r\n0\r\n\r\n`],
  ['coding in another case', '1\r\na\r\n0\r\n\r\n', 'X: 1\r\n'],
];

const shaped = CHUNKED.flatMap(([name, body, fields = '']) =>
  BOTH.map(([way, make]) => {
    const coding =
      name === 'coding in another case' ? 'transfer-encoding: Chunked\r\n' : 'Transfer-Encoding: chunked\r\n';
    return make(`chunked ${way}: ${name}`, `${fields}${coding}`, { send: body });
  }),
);

/** The same bytes in pieces that end inside lines, each piece in its own packet. */
function inPieces(name: string, pieces: string[], side: 'up' | 'down'): WireCase {
  const sending: Step[] = [];
  const hearing: Step[] = [];
  for (const [index, piece] of pieces.entries()) {
    sending.push({ send: piece }, { hear: `${side} ${index}` });
    hearing.push({ until: piece }, { tell: `${side} ${index}` });
  }
  if (side === 'up') {
    return { name, client: [...sending, { until: 'ok' }], origin: [...hearing, { send: OK }] };
  }
  return {
    name,
    client: [{ send: 'GET {target}/ HTTP/1.1\r\nHost: {host}\r\n\r\n' }, ...hearing],
    origin: [{ until: '\r\n\r\n' }, ...sending],
  };
}

const CHUNK_PIECES = ['4;e', 'xt\r', '\nab', 'cd', '\r', '\n1', '\r\nz\r\n', '0\r\n', 'T: 1\r', '\n', '\r\n'];
const pieces = [
  inPieces(
    'chunked down in pieces',
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', ...CHUNK_PIECES],
    'down',
  ),
  inPieces(
    'chunked up in pieces',
    ['POST {target}/ HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n', ...CHUNK_PIECES],
    'up',
  ),
  inPieces('length down in pieces', ['HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n', 'a', 'bc', 'def'], 'down'),
  inPieces('length up in pieces', [post('Content-Length: 6\r\n'), 'a', 'bc', 'def'], 'up'),
];

/** Bodies: sizes, chunks, trailers. */
export const BODY_CASES: WireCase[] = [...sized, ...chunked, ...shaped, ...pieces];
