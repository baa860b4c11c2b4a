import { once } from 'node:events';
import http2 from 'node:http2';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { END_HEADERS, END_STREAM, FRAME, frame, PREFACE, requestHead, uint32 } from '../../support/http2-frames.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { openSecureTunnel } from '../../support/tunnel.ts';

const MIB = 1024 * 1024;

/** Bytes of Buffers in use: garbage does not count. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

it('an HTTP/2 client that reads nothing of a small response is disconnected too', async () => {
  const origin = await http2Origin((stream) => {
    stream.respond({ ':status': 200 });
    stream.end('small');
  });
  // The limit counts from the connection on: a loaded machine may take a second for its TLS.
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, { clientSilence: 5_000 });
  const socket = await openSecureTunnel(through, origin.port, ['h2']);
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
  });
  const shut = frame(FRAME.settings, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(0)]));
  const head = requestHead('GET', `localhost:${origin.port}`);
  socket.write(Buffer.concat([PREFACE, shut, frame(FRAME.headers, END_STREAM | END_HEADERS, 1, head)]));
  await through.seen.ended1();
  const reset = frame(FRAME.reset, 0, 1, uint32(11));
  while (!received.includes(reset)) await once(socket, 'data');
});

it('downloads that clients pause and cancel release the window of the upstream connection', async () => {
  const limits = { http2StreamWindow: 256 * 1024, http2ConnectionWindow: MIB };
  const sent: number[] = [];
  const origin = await http2Origin((stream) => {
    stream.respond({ ':status': 200 });
    stream.on('finish', () => sent.push(stream.id ?? 0));
    stream.end(Buffer.alloc(250_000));
  });
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, limits);
  const client = await http2Client(through, origin.port);
  for (let count = 1; count <= 12; count += 1) {
    const stream = client.request({ ':path': '/held' });
    stream.on('error', () => {});
    await once(stream, 'response');
    // The engine has all of it: it fits the origin's window, and this client's takes a part.
    while (sent.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = once(stream, 'close');
    stream.close(http2.constants.NGHTTP2_CANCEL);
    await closed;
  }
  expect((await responseOf(client.request({ ':path': '/taken' }))).body).toHaveLength(250_000);
  await through.upstreamCount(1);
});

// 256 MiB pass through one process three times: a busy machine takes longer than the usual limit.
it('a slow reader does not delay others on its connection, in either direction, and memory is bounded', async () => {
  const origin = await http2Origin((stream, headers) => {
    stream.respond({ ':status': 200 });
    if (headers[':method'] === 'POST') {
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      stream.on('end', () => stream.end(String(size)));
      return;
    }
    let left = Number(headers[':path']?.slice(1)) * MIB;
    const go = (): void => {
      while (left > 0 && !stream.destroyed) {
        const size = Math.min(left, 65_536);
        left -= size;
        if (!stream.write(Buffer.alloc(size, 'x'))) {
          stream.once('drain', go);
          return;
        }
      }
      stream.end();
    };
    go();
  });
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  // Recording is not part of the measurement.
  through.seen.bodyPiece = () => true;
  const client = await http2Client(through, origin.port);
  const slow = client.request({ ':path': '/64' });
  await once(slow, 'response');
  slow.pause();
  const before = heldBytes();
  let peak = 0;
  let nextLook = 0;
  const fast = async (options: http2.OutgoingHttpHeaders, send: number): Promise<number> => {
    const stream = client.request(options);
    let got = 0;
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      got += chunk.length;
      // The response to an upload is short, and may arrive in two frames if the connection's window was nearly used up.
      text = (text + chunk.toString('latin1', 0, 20)).slice(-20);
      if (got < nextLook) return;
      nextLook = got + 16 * MIB;
      peak = Math.max(peak, heldBytes() - before);
    });
    for (let sent = 0; sent < send; sent += MIB) {
      if (!stream.write(Buffer.alloc(MIB))) await once(stream, 'drain');
    }
    if (send > 0) stream.end();
    await once(stream, 'close');
    return send > 0 ? Number(text) : got;
  };
  const downs = [fast({ ':path': '/64' }, 0), fast({ ':path': '/64' }, 0)];
  const up = fast({ ':path': '/', ':method': 'POST' }, 64 * MIB);
  expect(await Promise.all([...downs, up])).toEqual([64 * MIB, 64 * MIB, 64 * MIB]);
  // Origin, engine and client are one process here; 256 MiB are in transit.
  expect(peak).toBeLessThan(96 * MIB);
  let rest = 0;
  slow.on('data', (chunk: Buffer) => {
    rest += chunk.length;
  });
  slow.resume();
  await once(slow, 'end');
  expect(rest).toBe(64 * MIB);
}, 600_000);
