import { once } from 'node:events';
import net from 'node:net';
import { expect, test } from 'vitest';
import { lookup } from '../../../../../../electron/engine/upstream/connect/lookup.ts';
import { listenInTest } from '../../../../../support/listen-in-test.ts';

function addressesOf(host: string, family = 0): Promise<unknown> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true, family }, (error, found) => (error ? reject(error) : resolve(found)));
  });
}

test.each(['localhost', 'shop.localhost', 'a.b.LOCALHOST', 'shop.localhost.'])('%s is loopback', async (host) => {
  expect(await addressesOf(host)).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
});

test('one family if one is requested', async () => {
  expect(await addressesOf('shop.localhost', 6)).toEqual([{ address: '::1', family: 6 }]);
});

test('a name that only looks like it is resolved by the system', async () => {
  await expect(addressesOf('notlocalhost.invalid')).rejects.toMatchObject({ syscall: 'getaddrinfo' });
});

test('a socket connects to a name below localhost', async () => {
  const port = await listenInTest(net.createServer((socket) => socket.end()));
  const socket = net.connect({ host: 'shop.localhost', port, lookup, autoSelectFamily: true });
  await once(socket, 'connect');
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});
