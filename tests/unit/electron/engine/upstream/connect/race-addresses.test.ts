import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { interleaved, raceAddresses } from '../../../../../../electron/engine/upstream/connect/race-addresses.ts';

const V4 = { address: '127.0.0.1', family: 4 };
const V6 = { address: '::1', family: 6 };

async function listening(host: string): Promise<number> {
  const server = net.createServer((socket) => socket.destroy()).listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function race(port: number, ahead: () => void = () => {}): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const connectTo = (address: string) => net.connect({ host: address, port });
    raceAddresses([V4, V6], connectTo, (error, socket) => (socket ? resolve(socket.remoteAddress) : reject(error)));
    ahead();
  });
}

it('takes the families in turn', () => {
  const of = (families: number[]) => interleaved(families.map((family, index) => ({ address: `${index}`, family })));
  expect(of([6, 6, 6, 4, 4]).map(({ address }) => address)).toEqual(['0', '3', '1', '4', '2']);
  expect(of([4, 6, 6, 6]).map(({ address }) => address)).toEqual(['0', '1', '2', '3']);
  expect(of([])).toEqual([]);
});

it('does not cancel an attempt because the thread was busy', async () => {
  const busy = (): void => {
    const until = performance.now() + 600;
    while (performance.now() < until);
  };
  expect(await race(await listening('127.0.0.1'), busy)).toBe('127.0.0.1');
});

it('tries the next address if one refuses the connection', async () => {
  const port = await listening('127.0.0.1');
  const addresses = [{ address: '127.0.0.2', family: 4 }, V4];
  const connectTo = (address: string) => net.connect({ host: address, port });
  const found = await new Promise((resolve) =>
    raceAddresses(addresses, connectTo, (_error, socket) => resolve(socket?.remoteAddress)),
  );
  expect(found).toBe('127.0.0.1');
});

it('reports why each failed, in order', async () => {
  const port = await listening('127.0.0.3');
  await expect(race(port)).rejects.toMatchObject({ errors: [{ address: '127.0.0.1' }, { address: '::1' }] });
});
