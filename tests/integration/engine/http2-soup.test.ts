import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { FRAME, frame, PREFACE } from '../../support/http2-frames.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { someFrame } from '../../support/http2-soup.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';
import { cuts, split } from '../../support/split-bytes.ts';
import { openSecureTunnel } from '../../support/tunnel.ts';

const RUNS = { numRuns: 40 };
const frames = fc.array(someFrame, { minLength: 1, maxLength: 30 });

/** Faults of the engine itself, in its reports about exchanges. */
const ownFaults = (codes: (string | undefined)[]): (string | undefined)[] =>
  codes.filter((code) => code?.startsWith('engine.'));

it('after any frames of a client its exchanges end, and the next client is served', async () => {
  const origin = await http2Origin((stream) => {
    stream.respond({ ':status': 200 });
    stream.resume();
    stream.end('good');
  });
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  await fc.assert(
    fc.asyncProperty(frames, cuts(), async (all, at) => {
      const socket = await openSecureTunnel(through, origin.port, ['h2']);
      socket.on('error', () => {});
      socket.resume();
      // From the beginning: refused bytes end the connection before all of them are written.
      const closed = new Promise((resolve) => socket.once('close', resolve));
      for (const piece of split(Buffer.concat([PREFACE, ...all]), at)) {
        socket.write(piece);
        await turn();
      }
      socket.end();
      await closed;
    }),
    RUNS,
  );
  const client = await http2Client(through, origin.port);
  expect((await responseOf(client.request({ ':path': '/' }))).body).toBe('good');
  client.destroy();
  await through.clientCount(0);
  expect(ownFaults(through.seen.all.map(({ failure }) => failure?.code))).toEqual([]);
});

it('any frames of upstream end their own exchange at most, and the engine keeps running', async () => {
  let response: readonly Buffer[] = [];
  const begun = new WeakSet<object>();
  const origin = await secureRawOrigin((socket) => {
    if (begun.has(socket)) return;
    begun.add(socket);
    void (async () => {
      for (const piece of response) {
        socket.write(piece);
        await turn();
      }
      socket.end();
    })();
  }, 'h2');
  const through = await testEngine({ upstreamCaFiles: [origin.caPath], retry: false });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(frames, cuts(), async (all, at) => {
      response = split(Buffer.concat([frame(FRAME.settings, 0, 0), ...all]), at);
      count += 1;
      const path = `/${count}`;
      const client = await http2Client(through, origin.port);
      const stream = client.request({ ':path': path, ':method': 'POST' });
      stream.on('error', () => {});
      stream.resume();
      stream.end(Buffer.alloc(20_000));
      const ended = await through.seen.ended1((each) => each.request.path === path);
      expect(ended.failure?.code ?? 'upstream.').toMatch(/^(?:upstream|client)\./);
      client.destroy();
    }),
    RUNS,
  );
  await through.clientCount(0);
  await through.upstreamCount(0);
});
