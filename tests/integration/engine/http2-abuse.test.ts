import net from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describe, expect, it } from 'vitest';
import type { Limits } from '../../../shared/model/limits.ts';
import { closeOf, cutOff, flood, MIB, rememberMemory } from '../../support/abusive-client.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import {
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  literal,
  PREFACE,
  requestHead,
  uint32,
} from '../../support/http2-frames.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { openSecureTunnel } from '../../support/tunnel.ts';

function* repeated(count: number, piece: (index: number) => Buffer): Generator<Buffer> {
  const BATCH = 2_000;
  for (let from = 0; from < count; from += BATCH) {
    yield Buffer.concat(Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => piece(from + index)));
  }
}

interface Flood {
  name: string;
  /** `get` and `post`: heads of requests. */
  frames(get: Buffer, post: Buffer): Iterable<Buffer>;
  /** Reads no replies. */
  deaf?: boolean;
  /** The text of its row in the list. */
  code: RegExp;
  reason: RegExp;
  limits?: Partial<Limits>;
}

const OURS = /^client\.http2-flood$/;
/** Not a flood, but not HTTP/2 either. */
const BROKEN = /^client\.http2-error$/;
/**
 * A limit per second that the slowest sender exceeds: some 1,500 frames. A loaded machine may take a second for 50,000,
 * which is not a flood by the default limit.
 */
const BESIDE = {
  code: OURS,
  reason: /16384 bytes per second of frames that belong to no request.*http2ControlBytes/,
  limits: { http2ControlBytes: 16_384 },
};

const FLOODS: Flood[] = [
  {
    name: 'rapid reset',
    ...{ code: OURS, reason: /1000 cancelled or malformed requests at once.*http2Resets/ },
    frames: (get) =>
      repeated(20_000, (index) =>
        Buffer.concat([
          frame(FRAME.headers, END_STREAM | END_HEADERS, index * 2 + 1, get),
          frame(FRAME.reset, 0, index * 2 + 1, uint32(8)),
        ]),
      ),
  },
  {
    name: 'CONTINUATION frames without an end',
    ...{ code: BROKEN, reason: /flood of CONTINUATION frames/ },
    *frames(get) {
      yield frame(FRAME.headers, END_STREAM, 1, get);
      yield* repeated(50_000, () => frame(FRAME.continuation, 0, 1, literal('x', 1)));
    },
  },
  {
    name: 'a gigabyte of header fields',
    ...{ code: /^client\.head-too-large$/, reason: /262144 bytes/ },
    *frames(get) {
      yield frame(FRAME.headers, END_STREAM, 1, get);
      const piece = frame(FRAME.continuation, 0, 1, literal('x', 16_000));
      for (let sent = 0; sent < 1024 * MIB; sent += piece.length) yield piece;
    },
  },
  ...[true, false].flatMap((deaf): Flood[] => [
    {
      name: `SETTINGS, ${deaf ? 'and reads nothing' : 'and reads the acknowledgements'}`,
      ...{ deaf, code: OURS, reason: /1000 PING or SETTINGS frames at once.*http2Pings/ },
      frames: () => repeated(3_000_000, () => frame(FRAME.settings, 0, 0)),
    },
    {
      name: `PING, ${deaf ? 'and reads nothing' : 'and reads the acknowledgements'}`,
      ...{ deaf, code: OURS, reason: /1000 PING or SETTINGS frames at once.*http2Pings/ },
      frames: () => repeated(3_000_000, () => frame(FRAME.ping, 0, 0, Buffer.alloc(8))),
    },
  ]),
  {
    name: 'PRIORITY',
    ...BESIDE,
    frames: () =>
      repeated(3_000_000, (index) => frame(FRAME.priority, 0, (index % 1000) * 2 + 1, Buffer.from([0, 0, 0, 0, 1]))),
  },
  {
    name: 'frames of a type that nobody knows',
    ...BESIDE,
    frames: () => repeated(3_000_000, () => frame(0x77, 0, 0, 'hello')),
  },
  {
    name: 'WINDOW_UPDATE by one',
    ...BESIDE,
    limits: { ...BESIDE.limits, http2ConnectionWindow: 4 * MIB, http2StreamWindow: MIB },
    frames: () => repeated(6_000_000, () => frame(FRAME.windowUpdate, 0, 0, uint32(1))),
  },
  {
    name: 'empty DATA frames',
    ...BESIDE,
    *frames(_get, post) {
      yield frame(FRAME.headers, END_HEADERS, 1, post);
      yield* repeated(3_000_000, () => frame(FRAME.data, 0, 1));
    },
  },
  {
    name: 'WINDOW_UPDATE over the limit',
    ...{ code: BROKEN, reason: /a window that overflows/ },
    frames: () => repeated(10, () => frame(FRAME.windowUpdate, 0, 0, uint32(0x7fff_ffff))),
  },
];

/** `pieces` of 64 KiB in the response to an abuser. */
async function setUp(pieces: number, limits: Parameters<typeof testEngine>[1] = {}) {
  const origin = await http2Origin((stream, headers) => {
    stream.on('error', () => {});
    if (headers[':path'] === '/good') {
      stream.respond({ ':status': 200 });
      stream.end('good');
      return;
    }
    stream.resume();
    stream.respond({ ':status': 200 });
    for (let index = 0; index < pieces; index += 1) stream.write(Buffer.alloc(65_536));
    if (pieces === 0) stream.end();
  });
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, limits);
  const good = async (): Promise<void> => {
    const { stdout, exitCode, stderr } = await curl(through, '--http2', `${origin.url}/good`);
    expect([stdout, exitCode, stderr]).toEqual(['good', 0, '']);
  };
  return { origin, through, good, authority: `localhost:${origin.port}` };
}

describe('an HTTP/2 client that floods is cut off by name, and a good request in the middle is answered', () => {
  it.each(FLOODS)('$name', async ({ frames, code, reason, limits = {}, deaf = false }) => {
    const { origin, through, good, authority } = await setUp(0, limits);
    await good();
    const isBounded = rememberMemory();
    const socket: TLSSocket = await openSecureTunnel(through, origin.port, ['h2']);
    socket.on('error', () => {});
    const closed = closeOf(socket);
    if (deaf) socket.pause();
    else socket.resume();
    socket.write(PREFACE);
    const flooding = flood(socket, frames(requestHead('GET', authority), requestHead('POST', authority)));
    await good();
    await flooding;
    expect((await cutOff(through, code)).failure?.message).toMatch(reason);
    isBounded();
    socket.resume();
    await closed;
    await good();
  });

  it('a body that stops', async () => {
    // An unfinished response: a client that has its whole response may keep the rest of its request.
    const { origin, through, good, authority } = await setUp(1, { clientSilence: 1_000 });
    const socket = await openSecureTunnel(through, origin.port, ['h2']);
    socket.resume();
    // `content-length: 9` by its index in HPACK's static table.
    const fields = Buffer.concat([requestHead('POST', authority), Buffer.from([0x0f, 0x0d, 1, 0x39])]);
    const head = frame(FRAME.headers, END_HEADERS, 1, fields);
    socket.write(Buffer.concat([PREFACE, head, frame(FRAME.data, 0, 1, 'some')]));
    await good();
    expect((await cutOff(through, 'client')).failure?.code).toBe('client.stalled');
    socket.destroy();
  });

  it.each(['h2', 'http/1.1'])(
    'a body that stops while its way upstream is still being opened, over %s',
    async (alpn) => {
      let tunnels = 0;
      const proxy = net.createServer((client) => {
        client.on('error', () => {});
        client.once('data', () => {
          const upstream = net.connect(origin.port, '127.0.0.1').on('error', () => {});
          tunnels += 1;
          const stand = (): void => {
            client.write('HTTP/1.1 200 OK\r\n\r\n');
            client.pipe(upstream).pipe(client);
          };
          // Longer than a client may be silent: its body is held meanwhile, and its stop is noticed later.
          if (tunnels === 1) stand();
          else setTimeout(stand, 1_500);
        });
      });
      const origin = await http2Origin(
        (stream, headers) => {
          if (headers[':method'] === 'POST') return;
          stream.respond({ ':status': 200 });
          stream.end('good');
        },
        { http1: true },
      );
      const port = await listenInTest(proxy);
      const upstreamProxy = { enabled: true, url: `http://127.0.0.1:${port}` };
      const settings = { upstreamCaFiles: [origin.caPath], upstreamProxy, keepAlive: false };
      const through = await testEngine(settings, { clientSilence: 500 });
      expect((await curl(through, alpn === 'h2' ? '--http2' : '--http1.1', origin.url)).stdout).toMatch(
        /good|HTTP\/1.1/,
      );
      const socket = await openSecureTunnel(through, origin.port, [alpn]);
      socket.resume();
      const fields = Buffer.concat([
        requestHead('POST', `localhost:${origin.port}`),
        Buffer.from([0x0f, 0x0d, 1, 0x39]),
      ]);
      const head = frame(FRAME.headers, END_HEADERS, 1, fields);
      if (alpn === 'h2') socket.write(Buffer.concat([PREFACE, head, frame(FRAME.data, 0, 1, 'some')]));
      else socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nsome');
      expect((await cutOff(through, 'client')).failure?.code).toBe('client.stalled');
      socket.destroy();
    },
  );

  it('a window that is kept closed', async () => {
    const { origin, through, good, authority } = await setUp(64, { clientSilence: 1_000 });
    const isBounded = rememberMemory();
    const socket = await openSecureTunnel(through, origin.port, ['h2']);
    socket.resume();
    const shut = frame(FRAME.settings, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(0)]));
    socket.write(Buffer.concat([PREFACE, shut]));
    for (let index = 0; index < 10; index += 1) {
      socket.write(frame(FRAME.headers, END_STREAM | END_HEADERS, index * 2 + 1, requestHead('GET', authority)));
    }
    await good();
    expect((await cutOff(through, 'client.stalled')).failure?.message).toContain('1 s');
    isBounded();
    socket.destroy();
  });
});
