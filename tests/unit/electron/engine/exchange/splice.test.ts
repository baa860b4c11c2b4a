import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type SpliceError, splice } from '../../../../../electron/engine/exchange/splice.ts';

/** Longer than any test. */
const HALF_OPEN_TIME = 60_000;

/** Both ends of a TCP connection. */
async function pair(): Promise<[near: Socket, far: Socket]> {
  const server = net.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  far.on('error', () => {});
  onTestFinished(() => {
    far.destroy();
    near.destroy();
    server.close();
  });
  return [near, far];
}

it.each(['client', 'upstream'] as const)('reports that the %s reset its connection', async (by) => {
  const [client, upstream] = [await pair(), await pair()];
  const closed = new Promise<SpliceError | null>((resolve) => {
    const none = Buffer.alloc(0);
    const handlers = { bytes: () => true, closed: resolve };
    splice({ socket: client[0], ahead: none }, { socket: upstream[0], ahead: none }, HALF_OPEN_TIME, handlers);
  });
  (by === 'client' ? client : upstream)[1].resetAndDestroy();
  expect(await closed).toMatchObject({ by, error: { code: 'ECONNRESET' } });
});

it('reports nothing about connections that end', async () => {
  const [client, upstream] = [await pair(), await pair()];
  const closed = new Promise<SpliceError | null>((resolve) => {
    const none = Buffer.alloc(0);
    splice({ socket: client[0], ahead: none }, { socket: upstream[0], ahead: none }, HALF_OPEN_TIME, {
      bytes: () => true,
      closed: resolve,
    });
  });
  for (const [, far] of [client, upstream]) far.resume().end();
  expect(await closed).toBeNull();
});

it('waits for a slow recorder, even if the other side has room', async () => {
  const [client, upstream] = [await pair(), await pair()];
  const none = Buffer.alloc(0);
  let passed = 0;
  const control = splice({ socket: client[0], ahead: none }, { socket: upstream[0], ahead: none }, HALF_OPEN_TIME, {
    bytes: (_from, chunk) => {
      passed += chunk.length;
      return passed < 4;
    },
    closed: () => {},
  });
  const received: Buffer[] = [];
  upstream[1].on('data', (chunk: Buffer) => received.push(chunk));
  client[1].write('held');
  await once(upstream[1], 'data');
  expect(client[0].isPaused()).toBe(true);
  upstream[0].emit('drain');
  expect(client[0].isPaused()).toBe(true);
  client[1].end(' and more');
  control.resume('client');
  // The recorder holds each piece.
  await expect.poll(() => String(Buffer.concat(received))).toBe('held and more');
  expect(client[0].isPaused()).toBe(true);
});

it('waits for a sink that is full, also where the recorder takes more', async () => {
  const [client, upstream] = [await pair(), await pair()];
  const none = Buffer.alloc(0);
  const control = splice({ socket: client[0], ahead: none }, { socket: upstream[0], ahead: none }, HALF_OPEN_TIME, {
    bytes: () => true,
    closed: () => {},
  });
  const sent = Buffer.alloc(16 * 1024 * 1024, 'x');
  client[1].end(sent);
  await expect.poll(() => upstream[0].writableNeedDrain && client[0].isPaused()).toBe(true);
  control.resume('client');
  expect(client[0].isPaused()).toBe(true);
  let received = 0;
  for await (const chunk of upstream[1]) received += (chunk as Buffer).length;
  expect(received).toBe(sent.length);
});
