import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { rawOrigin } from '../../support/raw-origin.ts';

const BIG = ['-H', `X-Big: ${'v'.repeat(20_000)}`];

function failures(through: TestEngine): (string | undefined)[] {
  return through.seen.all.map((each) => each.failure?.code);
}

describe('limits that change while the engine runs', () => {
  it('count for the next HTTP/1.1 connection', async () => {
    const origin = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const through = await testEngine();
    const url = `http://127.0.0.1:${origin.port}/`;
    expect((await curl(through, ...BIG, url)).stdout).toBe('ok');
    through.apply({ limits: { headBytes: 8192 } });
    await curl(through, ...BIG, url);
    expect(failures(through)).toEqual([undefined, 'client.head-too-large']);
    through.apply({ limits: {} });
    expect((await curl(through, ...BIG, url)).stdout).toBe('ok');
  });

  it('count for the next HTTP/2 connection', async () => {
    const origin = await http2Origin((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('ok');
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    expect((await curl(through, '--http2', ...BIG, origin.url)).stdout).toBe('ok');
    through.apply({ limits: { headBytes: 8192 } });
    await curl(through, '--http2', ...BIG, origin.url);
    expect((await through.seen.ended1((each) => each.failure !== null)).failure?.code).toBe('client.head-too-large');
    through.apply({ limits: {} });
    expect((await curl(through, '--http2', ...BIG, origin.url)).stdout).toBe('ok');
  });

  it('do not apply to a connection that already exceeds them', async () => {
    const through = await testEngine();
    const first = net.connect(through.port, '127.0.0.1');
    await through.clientCount(1);
    through.apply({ limits: { clientConnections: 1 } });
    const second = net
      .connect(through.port, '127.0.0.1')
      .on('error', () => {})
      .resume();
    await once(second, 'close');
    const row = await through.seen.ended1();
    expect(row.failure?.code).toBe('client.too-many-connections');
    expect(first.destroyed).toBe(false);
    expect(through.engine.connections().client).toBe(1);
    first.destroy();
  });
});
