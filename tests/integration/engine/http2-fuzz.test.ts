import { once } from 'node:events';
import http2 from 'node:http2';
import { duplexPair } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Http2Connection } from '../../../electron/engine/http2/connection.ts';
import type { Http2Handlers, Http2Options } from '../../../electron/engine/http2/connection-options.ts';
import { FRAME, frame } from '../../support/http2-frames.ts';
import { Http2Peer, OPTIONS, POST, quiet, StreamLog } from '../../support/http2-peer.ts';
import { patterned, Side, type SidePlan, TRAILERS } from '../../support/http2-side.ts';
import { someFrame } from '../../support/http2-soup.ts';
import { cuts, split } from '../../support/split-bytes.ts';

const RUNS = { numRuns: 30 };
const OK = [':status', '200'];
const NOTHING = { refused: () => {}, settings: () => {}, goaway: () => {}, silent: () => {}, streamOver: () => {} };

const size = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 3000 }) },
  { weight: 2, arbitrary: fc.constantFrom(1, 16_383, 16_384, 16_385, 65_535) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 150_000 }) },
);
const side: fc.Arbitrary<SidePlan> = fc.record({
  sends: fc.oneof(
    { weight: 5, arbitrary: fc.array(size, { maxLength: 6 }) },
    { weight: 1, arbitrary: fc.constant(Array<number>(400).fill(1)) },
  ),
  trailers: fc.boolean(),
  holds: fc.constantFrom(0, 0, 1, 2, 3),
  resetAt: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 50_000 }) },
  ),
});
const exchanges = fc.array(fc.tuple(side, side), { minLength: 1, maxLength: 12 });
const windows: fc.Arbitrary<Partial<Http2Options>> = fc.record({
  streamWindow: fc.constantFrom(2000, 16_384, 65_535, 1_000_000),
  connectionWindow: fc.constantFrom(65_536, 70_000, 1_000_000),
});

async function until(holds: () => boolean): Promise<boolean> {
  for (let turns = 0; turns < 30_000; turns += 1) {
    if (holds()) return true;
    await quiet(1);
  }
  return holds();
}

/** What one side sent reached the other completely, unless one of them reset the stream. */
function expectWhole(from: Side, to: Side): void {
  expect(to.toldTooMuch).toBe(false);
  const sent = patterned(from.plan.sends);
  const got = Buffer.concat(to.received);
  expect(got.equals(sent.subarray(0, got.length))).toBe(true);
  if (from.hasReset || to.hasReset) return;
  expect(to.closed).toBeNull();
  expect(got.length).toBe(sent.length);
  expect(to.trailers).toEqual(from.plan.trailers ? TRAILERS : []);
}

function handlers(more: Partial<Http2Handlers>, ends: (Error | null)[]): Http2Handlers {
  return { ...NOTHING, request: () => {}, closed: (error) => void ends.push(error), ...more };
}

it('all bytes arrive between two of our connections, and no stream or window is left', async () => {
  await fc.assert(
    fc.asyncProperty(exchanges, windows, windows, async (plans, ofClient, ofServer) => {
      const [near, far] = duplexPair();
      const responses = new Map<number, Side>();
      const ends: (Error | null)[] = [];
      const server = new Http2Connection(
        far,
        { ...OPTIONS, ...ofServer, server: true },
        handlers(
          {
            request: (stream) => {
              const response = responses.get(stream.id) ?? new Side(WHOLE);
              responses.set(stream.id, response);
              stream.head(OK, false);
              stream.listen(response);
              response.start(stream);
            },
          },
          ends,
        ),
      );
      const client = new Http2Connection(near, { ...OPTIONS, ...ofClient, server: false }, handlers({}, ends));
      server.start();
      client.start();
      // Until a peer has read about a smaller window, it may use the first one.
      await quiet(4);
      const pairs: [Side, Side][] = plans.map(([asks, response], index) => {
        const pair: [Side, Side] = [new Side(asks), new Side(response)];
        responses.set(index * 2 + 1, pair[1]);
        return pair;
      });
      for (const [asks] of pairs) asks.start(client.request(POST, false, asks, null));
      const over = await until(
        () =>
          client.streams === 0 &&
          server.streams === 0 &&
          pairs.every(([one, two]) => one.done && (two.done || one.hasReset)),
      );
      expect(over).toBe(true);
      for (const [asks, response] of pairs) {
        expectWhole(asks, response);
        expectWhole(response, asks);
      }
      // More than any connection window holds: reset or held streams have returned all of it.
      const last = new Side(WHOLE);
      const stream = client.request(POST, false, last, null);
      last.start(stream);
      expect(await until(() => last.done && (responses.get(stream.id)?.done ?? false))).toBe(true);
      expectWhole(last, responses.get(stream.id) as Side);
      expectWhole(responses.get(stream.id) as Side, last);
      expect(ends).toEqual([]);
      client.close();
      expect(await until(() => ends.length === 2)).toBe(true);
      expect(ends).toEqual([null, null]);
      near.destroy();
      far.destroy();
    }),
    RUNS,
  );
});

const WHOLE: SidePlan = { sends: Array<number>(20).fill(16_384 * 4), trailers: true, holds: 0, resetAt: null };

/** node:http2's end of an exchange, as a plan has it. */
async function nodeSide(stream: http2.Http2Stream, plan: SidePlan): Promise<{ bytes: Buffer; reset: boolean }> {
  const pieces: Buffer[] = [];
  let length = 0;
  let reset = false;
  stream.on('error', () => {});
  const closed = once(stream, 'close').catch(() => {});
  stream.on('data', (chunk: Buffer) => {
    pieces.push(chunk);
    length += chunk.length;
    if (plan.resetAt !== null && length >= plan.resetAt) {
      reset = true;
      stream.close(8);
    } else if (plan.holds > 0 && pieces.length % plan.holds === 0) {
      stream.pause();
      setImmediate(() => stream.resume());
    }
  });
  const out = patterned(plan.sends);
  let at = 0;
  for (const each of plan.sends) {
    if (stream.destroyed || stream.writableEnded) break;
    if (!stream.write(out.subarray(at, at + each))) await Promise.race([once(stream, 'drain').catch(() => {}), closed]);
    at += each;
  }
  if (!stream.destroyed && !stream.writableEnded) stream.end();
  await closed;
  return { bytes: Buffer.concat(pieces), reset };
}

it('all bytes arrive at a server of node:http2, and from it', async () => {
  await fc.assert(
    fc.asyncProperty(exchanges, windows, fc.constantFrom(1000, 65_535, 500_000), async (plans, ofClient, window) => {
      const [near, far] = duplexPair();
      const session = http2.performServerHandshake(far, { settings: { initialWindowSize: window } });
      session.on('error', () => {});
      const theirs: Promise<{ bytes: Buffer; reset: boolean }>[] = [];
      session.on('stream', (stream: http2.ServerHttp2Stream) => {
        const plan = plans[((stream.id ?? 1) - 1) / 2]?.[1] ?? WHOLE;
        stream.respond({ ':status': 200 });
        theirs[((stream.id ?? 1) - 1) / 2] = nodeSide(stream, plan);
      });
      const ends: (Error | null)[] = [];
      const client = new Http2Connection(near, { ...OPTIONS, ...ofClient, server: false }, handlers({}, ends));
      client.start();
      const ours = plans.map(([plan]) => new Side(plan));
      for (const each of ours) each.start(client.request(POST, false, each, null));
      expect(await until(() => client.streams === 0 && ours.every((each) => each.done))).toBe(true);
      for (const [index, each] of ours.entries()) {
        const plan = plans[index]?.[1] as SidePlan;
        const { bytes, reset } = (await theirs[index]) ?? { bytes: Buffer.alloc(0), reset: true };
        const [up, down] = [patterned(each.plan.sends), patterned(plan.sends)];
        const got = Buffer.concat(each.received);
        expect(each.toldTooMuch).toBe(false);
        expect(bytes.equals(up.subarray(0, bytes.length)) && got.equals(down.subarray(0, got.length))).toBe(true);
        if (!reset && !each.hasReset) expect([bytes.length, got.length]).toEqual([up.length, down.length]);
      }
      expect(ends).toEqual([]);
      client.destroy();
      session.destroy();
    }),
    RUNS,
  );
});

it('all bytes arrive from a client of node:http2, and at it', async () => {
  await fc.assert(
    fc.asyncProperty(exchanges, windows, fc.constantFrom(1000, 65_535, 500_000), async (plans, ofServer, window) => {
      const [near, far] = duplexPair();
      const ends: (Error | null)[] = [];
      const ours = plans.map(([, plan]) => new Side({ ...plan, trailers: false }));
      const server = new Http2Connection(
        near,
        { ...OPTIONS, ...ofServer, streamWindow: 65_535, server: true },
        handlers(
          {
            request: (stream) => {
              const response = ours[(stream.id - 1) / 2] as Side;
              stream.head(OK, false);
              stream.listen(response);
              response.start(stream);
            },
          },
          ends,
        ),
      );
      server.start();
      const session = http2.connect('http://a.test', {
        createConnection: () => far,
        settings: { initialWindowSize: window },
      });
      session.on('error', () => {});
      const theirs = plans.map(([plan]) => nodeSide(session.request({ ':method': 'POST' }), plan));
      const results = await Promise.all(theirs);
      expect(await until(() => server.streams === 0 && ours.every((each) => each.done))).toBe(true);
      for (const [index, { bytes, reset }] of results.entries()) {
        const each = ours[index] as Side;
        const [up, down] = [patterned(plans[index]?.[0].sends ?? []), patterned(each.plan.sends)];
        const got = Buffer.concat(each.received);
        expect(each.toldTooMuch).toBe(false);
        expect(bytes.equals(down.subarray(0, bytes.length)) && got.equals(up.subarray(0, got.length))).toBe(true);
        if (!reset && !each.hasReset) expect([bytes.length, got.length]).toEqual([down.length, up.length]);
      }
      expect(ends).toEqual([]);
      session.destroy();
      server.destroy();
    }),
    RUNS,
  );
});

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const mutation = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 255 }));
const acts = fc.array(fc.constantFrom('', '', 'hold', 'reset', 'respond', 'close', 'throw'), { maxLength: 6 });

it.each([
  ['a server', true],
  ['a client', false],
])('%s never throws, whatever frames arrive, and responds or gives a reason to close', async (_role, server) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someFrame, { maxLength: 40 }),
      fc.array(mutation, { maxLength: 2 }),
      cuts(),
      acts,
      async (frames, mutations, at, does) => {
        const [near, far] = duplexPair();
        const ends: (Error | null)[] = [];
        const logs: StreamLog[] = [];
        const logOf = (stream: () => { reset(code: number): void; resume(): void } | undefined): StreamLog => {
          const log = new StreamLog();
          const does1 = does[logs.length % (does.length || 1)] ?? '';
          log.onPiece = () => does1 !== 'hold' || log.bytes % 3 === 0;
          log.also = (told) => {
            if (does1 === 'reset' && told === 'data') stream()?.reset(8);
            if (does1 === 'close' && told === 'end') connection.close();
            if (does1 === 'throw' && told !== 'closed') throw new Error('a bug');
          };
          logs.push(log);
          return log;
        };
        const connection: Http2Connection = new Http2Connection(
          near,
          { ...OPTIONS, server },
          handlers(
            {
              request: (stream) => {
                const log = logOf(() => stream);
                stream.listen(log);
                stream.head(OK, false);
                stream.write(Buffer.alloc(100_000));
                if (does.includes('respond')) stream.end(['x', 'y']);
              },
            },
            ends,
          ),
        );
        connection.start();
        const peer = new Http2Peer(far, server);
        if (!server) {
          for (let count = 0; count < 3; count += 1) {
            const log = logOf(() => stream);
            const stream = connection.request(POST, false, log, null);
            stream.write(Buffer.alloc(30_000));
            stream.end(count === 0 ? [] : ['x', 'y']);
          }
        }
        const opening = [...(server ? [PREFACE] : []), frame(FRAME.settings, 0, 0)];
        const bytes = Buffer.concat([...opening, ...frames]);
        const start = server ? PREFACE.length : 0;
        for (const [where, value] of mutations) bytes[start + Math.floor(where * (bytes.length - start - 1))] = value;
        for (const piece of split(bytes, at)) {
          far.write(piece);
          await quiet(1);
        }
        far.write(frame(FRAME.ping, 0, 0, '12345678'));
        await quiet();
        const answered = peer.of(FRAME.ping).length > 0 || peer.goaways.length > 0;
        // A length that was changed swallows the ping.
        if (mutations.length === 0) expect(answered || ends.length > 0).toBe(true);
        far.end();
        expect(await until(() => ends.length === 1 && connection.streams === 0)).toBe(true);
        for (const { told } of logs) {
          expect(told.filter((each) => each === 'closed').length).toBeLessThanOrEqual(1);
          if (told.includes('closed')) expect(told.at(-1)).toBe('closed');
        }
        near.destroy();
        far.destroy();
      },
    ),
    { numRuns: 300 },
  );
});
