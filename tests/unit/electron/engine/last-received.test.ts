import { once } from 'node:events';
import net from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { lastReceived } from '../../../../electron/engine/last-received.ts';
import { descriptorOf } from '../../../../electron/engine/listen/descriptors.ts';

it.runIf(process.platform === 'linux')('Linux tells when the last segment of a socket arrived', async () => {
  await expect.poll(lastReceived).not.toBeNull();
  const received = lastReceived();
  expect(received?.tick).toBeGreaterThan(0);
  expect(received?.tick).toBeLessThanOrEqual(10);
  const server = net.createServer((socket) => void socket.write('bytes'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const from = performance.now();
  const client = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  await once(client, 'data');
  const readAt = performance.now();
  // Busy, on a machine of any speed.
  for (let now = readAt; now < readAt + 50; ) now = performance.now();
  const ago = received?.ago(descriptorOf(client)) ?? -1;
  const elapsed = performance.now() - from;
  expect(ago).toBeGreaterThanOrEqual(50 - (received?.tick ?? 0));
  expect(ago).toBeLessThanOrEqual(elapsed + (received?.tick ?? 0));
  expect(received?.ago(-1)).toBeNull();
});
