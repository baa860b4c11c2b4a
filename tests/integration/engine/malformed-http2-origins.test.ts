import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { END_HEADERS, END_STREAM, FRAME, frame, literal, uint32 } from '../../support/http2-frames.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';

/** RFC 7541, appendix A: `:status: 200`, indexed; and a literal `content-length` by its index. */
const STATUS_200 = Buffer.from([0x88]);
const contentLength = (of: number): Buffer => {
  const digits = String(of);
  return Buffer.concat([Buffer.from([0x0f, 0x0d, digits.length]), Buffer.from(digits)]);
};
const SETTINGS = frame(FRAME.settings, 0, 0);
const ACK = frame(FRAME.settings, 1, 0);
const head = (...fields: Buffer[]): Buffer => frame(FRAME.headers, END_HEADERS, 1, Buffer.concat(fields));
const setting = (id: number, value: number): Buffer =>
  frame(FRAME.settings, 0, 0, Buffer.concat([Buffer.from([0, id]), uint32(value)]));
const goaway = (last: number, code: number): Buffer =>
  frame(FRAME.goaway, 0, 0, Buffer.concat([uint32(last), uint32(code)]));

interface Malformed {
  name: string;
  /** What the origin sends once the request has arrived. */
  sends: Buffer[];
  /** Before that; else a good SETTINGS frame. */
  opens?: Buffer;
  ends?: 'end' | 'destroy';
  /** The exchange's failure; null if the response is complete nevertheless. */
  code: string | null;
  /** The client had its head before the fault. */
  responds?: boolean;
}

/** The frame's head declares 1 MiB, over SETTINGS_MAX_FRAME_SIZE. */
const OVERSIZED = Buffer.concat([Buffer.from([0x10, 0, 0, FRAME.data, 0, 0, 0, 0, 1]), Buffer.alloc(65_536)]);
const goodResponse = (stream: number): Buffer[] => [
  ACK,
  frame(FRAME.headers, END_HEADERS, stream, STATUS_200),
  frame(FRAME.data, END_STREAM, stream, 'good'),
];
const GOOD = goodResponse(1);

const CASES: Malformed[] = [
  {
    name: 'SETTINGS of five bytes',
    opens: frame(FRAME.settings, 0, 0, 'fives'),
    sends: [],
    code: 'upstream.http2-error',
  },
  { name: 'SETTINGS on a stream', opens: frame(FRAME.settings, 0, 1), sends: [], code: 'upstream.http2-error' },
  { name: 'SETTINGS with a value of none', opens: setting(2, 7), sends: [], code: 'upstream.http2-error' },
  { name: 'a frame size that is too small', opens: setting(5, 1), sends: [], code: 'upstream.http2-error' },
  { name: 'a window that is too large', opens: setting(4, 0xffff_ffff), sends: [], code: 'upstream.http2-error' },
  {
    name: 'HTTP/1.1 in spite of ALPN',
    opens: Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    sends: [],
    code: 'upstream.http2-error',
  },
  { name: 'a response before its SETTINGS', opens: Buffer.alloc(0), sends: GOOD, code: 'upstream.http2-error' },
  { name: 'DATA on stream 0', sends: [frame(FRAME.data, 0, 0, 'x')], code: 'upstream.http2-error' },
  { name: 'DATA before a head', sends: [frame(FRAME.data, 0, 1, 'x')], code: 'upstream.http2-error' },
  {
    name: 'HEADERS on stream 0',
    sends: [frame(FRAME.headers, END_HEADERS, 0, STATUS_200)],
    code: 'upstream.http2-error',
  },
  {
    name: 'HEADERS on a stream of nobody',
    sends: [frame(FRAME.headers, END_HEADERS, 2, STATUS_200)],
    code: 'upstream.http2-error',
  },
  { name: 'HEADERS behind END_STREAM', sends: [...GOOD, head(STATUS_200)], code: null },
  {
    name: 'a push that was forbidden',
    sends: [ACK, frame(5, END_HEADERS, 1, Buffer.concat([uint32(2), STATUS_200]))],
    code: 'upstream.http2-error',
  },
  { name: 'HPACK with an index of none', sends: [head(Buffer.from([0xff, 0xff, 0x7f]))], code: 'upstream.http2-error' },
  {
    name: 'HPACK that breaks off',
    sends: [head(STATUS_200, Buffer.from([0, 10, 0x61]))],
    code: 'upstream.http2-error',
  },
  { name: 'a frame over the size', sends: [head(STATUS_200), OVERSIZED], code: 'upstream.http2-error', responds: true },
  {
    name: 'a frame inside a header block',
    sends: [frame(FRAME.headers, 0, 1, STATUS_200), frame(FRAME.ping, 0, 0, Buffer.alloc(8))],
    code: 'upstream.http2-error',
  },
  { name: 'a header block without an end', sends: [frame(FRAME.headers, 0, 1, STATUS_200)], code: 'upstream.timeout' },
  {
    name: 'a header block over the limit',
    sends: [
      frame(FRAME.headers, 0, 1, STATUS_200),
      ...Array.from({ length: 40 }, () => frame(FRAME.continuation, 0, 1, literal('x', 16_000))),
    ],
    code: 'upstream.http2-error',
  },
  { name: 'a response without :status', sends: [head(literal('x', 1))], code: 'upstream.http2-error' },
  { name: 'a :status of letters', sends: [head(literal(':status', 3))], code: 'upstream.http2-error' },
  { name: 'a second :status', sends: [head(STATUS_200, STATUS_200)], code: 'upstream.http2-error' },
  {
    name: 'a request field in the response',
    sends: [head(STATUS_200, literal(':path', 1))],
    code: 'upstream.http2-error',
  },
  { name: 'a connection field', sends: [head(STATUS_200, literal('connection', 1))], code: 'upstream.http2-error' },
  {
    name: 'RST_STREAM in the middle of a body',
    sends: [head(STATUS_200), frame(FRAME.data, 0, 1, 'some'), frame(FRAME.reset, 0, 1, uint32(2))],
    code: 'upstream.stream-reset',
    responds: true,
  },
  { name: 'RST_STREAM before a head', sends: [frame(FRAME.reset, 0, 1, uint32(2))], code: 'upstream.stream-reset' },
  {
    name: 'a body that is shorter than its length',
    sends: [head(STATUS_200, contentLength(9)), frame(FRAME.data, END_STREAM, 1, 'some')],
    code: 'upstream.http2-error',
    responds: true,
  },
  {
    name: 'a body that is longer than its length',
    sends: [head(STATUS_200, contentLength(2)), frame(FRAME.data, END_STREAM, 1, 'some')],
    code: 'upstream.http2-error',
    responds: true,
  },
  { name: 'GOAWAY before it took the stream', sends: [goaway(0, 0)], ends: 'end', code: 'upstream.stream-reset' },
  {
    name: 'GOAWAY with an error in the middle',
    sends: [head(STATUS_200), frame(FRAME.data, 0, 1, 'some'), goaway(1, 2)],
    ends: 'end',
    code: 'upstream.body-cut-short',
    responds: true,
  },
  { name: 'GOAWAY, and the response behind it', sends: [goaway(1, 0), ...GOOD], code: null },
  { name: 'the end without a word', sends: [], ends: 'end', code: 'upstream.empty-response' },
  { name: 'the end before SETTINGS', opens: Buffer.alloc(0), sends: [], ends: 'end', code: 'upstream.empty-response' },
  { name: 'a reset without a word', sends: [], ends: 'destroy', code: 'upstream.empty-response' },
  {
    name: 'the end in the middle of a body',
    sends: [head(STATUS_200), frame(FRAME.data, 0, 1, 'some')],
    ends: 'end',
    code: 'upstream.body-cut-short',
    responds: true,
  },
  {
    name: 'the end in the middle of a frame',
    sends: [head(STATUS_200), frame(FRAME.data, 0, 1, 'some').subarray(0, 11)],
    ends: 'end',
    code: 'upstream.body-cut-short',
    responds: true,
  },
  { name: 'no acknowledgement of our SETTINGS', sends: GOOD.slice(1), code: null },
  { name: 'nothing at all', opens: Buffer.alloc(0), sends: [], code: 'upstream.timeout' },
  { name: 'SETTINGS, and then nothing', sends: [ACK], code: 'upstream.timeout' },
  { name: 'a head, and then nothing', sends: [ACK, head(STATUS_200)], code: 'upstream.timeout', responds: true },
  {
    name: 'a window that overflows',
    sends: [frame(FRAME.windowUpdate, 0, 0, uint32(0x7fff_ffff))],
    code: 'upstream.http2-error',
  },
  {
    name: 'a window of the stream that overflows',
    sends: [frame(FRAME.windowUpdate, 0, 1, uint32(0x7fff_ffff))],
    code: 'upstream.http2-error',
  },
  { name: 'PING of seven bytes', sends: [frame(FRAME.ping, 0, 0, 'seven b')], code: 'upstream.http2-error' },
  {
    name: 'padding longer than the frame',
    sends: [head(STATUS_200), frame(FRAME.data, 0x8, 1, Buffer.from([9, 1]))],
    code: 'upstream.http2-error',
    responds: true,
  },
  { name: 'frames of a type that there is none of', sends: [frame(0xfe, 0, 1, 'x'), ...GOOD], code: null },
];

const REQUEST_AT = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'.length;

/** The streams that a connection's frames opened. */
function asked(received: string): number[] {
  const bytes = Buffer.from(received, 'latin1');
  const streams: number[] = [];
  for (let at = REQUEST_AT; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === FRAME.headers) streams.push(bytes.readUInt32BE(at + 5));
  }
  return streams;
}

/** The engine's `responseSilence` here, milliseconds: only the cases that are silent wait for it. */
const SILENCE = 1_000;

async function run(wire: Malformed) {
  let good = false;
  /** Streams that each connection has responded to; none before its SETTINGS. */
  const met = new WeakMap<TLSSocket, Set<number>>();
  const origin = await secureRawOrigin((socket, received) => {
    if (!met.has(socket)) socket.write(good ? SETTINGS : (wire.opens ?? SETTINGS));
    const responded = met.get(socket) ?? new Set();
    met.set(socket, responded);
    for (const stream of asked(received)) {
      if (responded.has(stream)) continue;
      responded.add(stream);
      for (const bytes of good ? goodResponse(stream) : wire.sends) socket.write(bytes);
      if (!good && wire.ends === 'end') socket.end();
      if (!good && wire.ends === 'destroy') socket.destroy();
    }
  }, 'h2');
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, { responseSilence: SILENCE });
  const ask = async () => {
    const client = await http2Client(through, origin.port);
    return responseOf(client.request({ ':path': '/', ':method': 'GET' }));
  };
  const response = await ask();
  const ended = await through.seen.ended1();
  good = true;
  const after = await ask();
  return { response, ended, after, last: through.seen.all.at(-1)?.failure ?? null };
}

describe('an HTTP/2 origin that is malformed never hangs an exchange', () => {
  it.each(CASES)('$name', async (wire) => {
    const { response, ended, after, last } = await run(wire);
    expect({ code: ended.failure?.code ?? null, status: response.headers[':status'] }).toEqual({
      code: wire.code,
      // Without a head from the origin the client's stream is reset: no response is invented.
      status: wire.code === null || wire.responds ? 200 : undefined,
    });
    if (wire.code === null) expect([response.body, response.reset]).toEqual(['good', 0]);
    else expect(response.reset, 'never a clean end').not.toBe(0);
    expect([after.headers[':status'], after.body, last]).toEqual([200, 'good', null]);
  });
});

it('a malformed response on a connection that was used before is not asked for again', async () => {
  let streams: number[] = [];
  const origin = await secureRawOrigin((socket, received) => {
    if (streams.length === 0) socket.write(SETTINGS);
    for (const stream of asked(received).slice(streams.length)) {
      const response =
        streams.length === 0 ? goodResponse(stream) : [frame(FRAME.headers, END_HEADERS, stream, literal('x', 1))];
      for (const bytes of response) socket.write(bytes);
    }
    streams = asked(received);
  }, 'h2');
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const client = await http2Client(through, origin.port);
  expect((await responseOf(client.request({ ':path': '/good' }))).body).toBe('good');
  const bad = client.request({ ':path': '/bad', ':method': 'POST' }, { endStream: true });
  expect((await responseOf(bad)).reset).not.toBe(0);
  const ended = await through.seen.ended1(({ request }) => request.path === '/bad');
  expect([ended.failure?.code, ended.attempts.length, streams]).toEqual(['upstream.http2-error', 1, [1, 3]]);
});
