import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type Broken, splice } from '../../../../../electron/engine/exchange/splice.ts';

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

it.each(['client', 'upstream'] as const)('says that it was the %s who reset its connection', async (by) => {
  const [client, upstream] = [await pair(), await pair()];
  const closed = new Promise<Broken | null>((resolve) => {
    const none = Buffer.alloc(0);
    const handlers = { bytes: () => true, closed: resolve };
    splice({ socket: client[0], ahead: none }, { socket: upstream[0], ahead: none }, handlers);
  });
  (by === 'client' ? client : upstream)[1].resetAndDestroy();
  expect(await closed).toMatchObject({ by, error: { code: 'ECONNRESET' } });
});

it('has nothing to say of connections that end', async () => {
  const [client, upstream] = [await pair(), await pair()];
  const closed = new Promise<Broken | null>((resolve) => {
    const none = Buffer.alloc(0);
    splice(
      { socket: client[0], ahead: none },
      { socket: upstream[0], ahead: none },
      { bytes: () => true, closed: resolve },
    );
  });
  for (const [, far] of [client, upstream]) far.resume().end();
  expect(await closed).toBeNull();
});
