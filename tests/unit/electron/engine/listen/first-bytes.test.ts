import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { firstBytes } from '../../../../../electron/engine/listen/first-bytes.ts';

async function pair(): Promise<{ client: net.Socket; served: net.Socket }> {
  const server = net.createServer({ pauseOnConnect: true, allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [served] = (await once(server, 'connection')) as [net.Socket];
  onTestFinished(() => {
    client.destroy();
    served.destroy();
    server.close();
  });
  return { client, served };
}

const NOTHING = Buffer.alloc(0);

it('returns everything that was read, and leaves the socket paused without listeners', async () => {
  const { client, served } = await pair();
  const listeners = ['data', 'end', 'close'].map((event) => served.listenerCount(event));
  const first = firstBytes(served, NOTHING, null);
  client.setNoDelay(true);
  client.write('P');
  await once(served, 'data');
  client.write('OST / HTTP/1.1\r\n');
  expect(await first).toEqual({ spoken: 'http1', bytes: Buffer.from('POST / HTTP/1.1\r\n') });
  expect(served.isPaused()).toBe(true);
  expect(['data', 'end', 'close'].map((event) => served.listenerCount(event))).toEqual(listeners);
});

it('bytes that were read ahead may be enough', async () => {
  const { served } = await pair();
  expect(await firstBytes(served, Buffer.from('GET /'), null)).toMatchObject({ spoken: 'http1' });
});

it('a silent client and one that sends too little are distinguished', async () => {
  const silent = await pair();
  const none = firstBytes(silent.served, NOTHING, null);
  silent.client.end();
  expect(await none).toBeNull();
  const short = await pair();
  const little = firstBytes(short.served, NOTHING, null);
  short.client.end('PRI');
  expect(await little).toEqual({ spoken: 'unknown', bytes: Buffer.from('PRI') });
});

it('waiting can be cancelled', async () => {
  const { served } = await pair();
  let stop = (): void => {};
  const first = firstBytes(served, NOTHING, {
    stop: (cancel) => {
      stop = cancel;
    },
  });
  stop();
  expect(await first).toEqual({ spoken: 'more', bytes: NOTHING });
});
