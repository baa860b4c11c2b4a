import { once } from 'node:events';
import net from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { http2Client } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { rawOrigin } from '../../support/raw-origin.ts';

const MIB = 1024 * 1024;
/** More than fits the sockets and windows on the way. */
const SIZE = 48 * MIB;
/** Longer than a busy machine stalls a flow. */
const SILENCE = 1_000;

async function sizeOf(stream: Readable): Promise<number> {
  let size = 0;
  for await (const chunk of stream) size += (chunk as Buffer).length;
  return size;
}

/** Upstream's silence has been noticed elsewhere, twice in a row: it would have been noticed here too. */
async function silences(through: TestEngine, url: string): Promise<void> {
  for (let each = 0; each < 2; each += 1) await curl(through, `${url}/silent/${each}`);
  const silent = through.seen.all.filter(({ request }) => request.path.startsWith('/silent'));
  expect(silent.map(({ failure }) => failure?.code)).toEqual(Array(2).fill('upstream.timeout'));
}

const rowOf = (through: TestEngine, path: string) => through.seen.ended1(({ request }) => request.path === path);

describe('a client that pauses does not count as a silent upstream', () => {
  it('HTTP/1.1, a download', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (!received.startsWith('GET /big') || !received.endsWith('\r\n\r\n')) return;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\nConnection: close\r\n\r\n`);
      socket.write(Buffer.alloc(SIZE));
    });
    const through = await testEngine({ retry: false }, { responseSilence: SILENCE });
    const url = `http://127.0.0.1:${origin.port}`;
    const socket = net.connect(through.port, '127.0.0.1');
    socket.write(`GET ${url}/big HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await once(socket, 'readable');
    await silences(through, url);
    expect(await sizeOf(socket)).toBeGreaterThanOrEqual(SIZE);
    expect(await rowOf(through, '/big')).toMatchObject({ state: 'complete', response: { body: { size: SIZE } } });
  });

  it('HTTP/1.1, an upload', async () => {
    const origin = await rawOrigin((socket, received) => {
      if (received.endsWith('rest!')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const through = await testEngine({ retry: false }, { responseSilence: SILENCE });
    const url = `http://127.0.0.1:${origin.port}`;
    const socket = net.connect(through.port, '127.0.0.1');
    socket.write(`POST ${url}/up HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nfirst`);
    await origin.receives('first');
    await silences(through, url);
    socket.write('rest!');
    const [response] = (await once(socket, 'data')) as [Buffer];
    expect(String(response)).toContain('200 OK');
    expect((await rowOf(through, '/up')).state).toBe('complete');
    socket.destroy();
  });

  it('HTTP/2, a download and an upload', async () => {
    let firstOfUpload = (): void => {};
    const uploading = new Promise<void>((resolve) => {
      firstOfUpload = resolve;
    });
    const origin = await http2Origin((stream, headers) => {
      if (headers[':path'] === '/up') {
        stream.once('data', firstOfUpload);
        stream.resume().on('end', () => {
          stream.respond({ ':status': 200 });
          stream.end('ok');
        });
      } else if (headers[':path'] === '/big') {
        stream.respond({ ':status': 200 });
        // In pieces: Node's session holds 10 MB at most.
        Readable.from(Array.from({ length: SIZE / MIB }, () => Buffer.alloc(MIB))).pipe(stream);
      }
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath], retry: false }, { responseSilence: SILENCE });
    const client = await http2Client(through, origin.port);
    const download = client.request({ ':path': '/big' });
    const upload = client.request({ ':path': '/up', ':method': 'POST' });
    upload.write('first');
    await Promise.all([once(download, 'response'), uploading]);
    await silences(through, origin.url);
    upload.end('rest!');
    expect(await sizeOf(upload)).toBe(2);
    expect(await sizeOf(download)).toBe(SIZE);
    expect((await rowOf(through, '/big')).state).toBe('complete');
    expect((await rowOf(through, '/up')).state).toBe('complete');
  });
});
