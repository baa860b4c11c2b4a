import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Host } from '../../../../electron/commands/host.ts';
import { type ReadingBounds, serveSocket } from '../../../../electron/web/socket-session.ts';
import type { Notice, Reply } from '../../../../shared/contract/envelope.ts';

const MIB = 1024 * 1024;
const LONG = 'x'.repeat(MIB);
const BATCH: Notice = { event: 'feed.batch', payload: LONG };
const REPLY: Reply = { call: 1, ok: true, value: LONG };

interface Served {
  client: WebSocket;
  server: WebSocket;
  notify(notice: Notice): void;
  closed: Promise<unknown>;
}

/** A window's connection to a host that answers each call with a mebibyte. */
async function served(bounds: ReadingBounds): Promise<Served> {
  const listening = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(listening, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(listening.address() as AddressInfo).port}`);
  client.on('error', () => {});
  onTestFinished(() => {
    client.terminate();
    listening.close();
  });
  const [server] = (await once(listening, 'connection')) as [WebSocket];
  let notify: Served['notify'] = () => {};
  const closed = new Promise((resolve) => {
    const connect: Host['connect'] = (send) => {
      notify = send;
      return { dispatch: async () => REPLY, close: () => resolve(null) };
    };
    serveSocket(server, { connect }, null, { bounds });
  });
  if (client.readyState !== client.OPEN) await once(client, 'open');
  return { client, server, notify: (notice) => notify(notice), closed };
}

it('a window that does not read loses its feed, then its connection, with little kept for it', async () => {
  const { client, server, notify, closed } = await served({ behind: 8 * MIB, patience: 100, most: 64 * MIB });
  client.pause();
  for (let sent = 0; sent < 200; sent += 1) notify(BATCH);
  expect(server.bufferedAmount).toBeLessThan(10 * MIB);
  await closed;
  expect(server.readyState).not.toBe(server.OPEN);
});

it('one that keeps sending requests without reading replies is dropped early', async () => {
  const { client, server, closed } = await served({ behind: 8 * MIB, patience: 60_000, most: 16 * MIB });
  client.pause();
  for (let asked = 0; asked < 200; asked += 1) client.send('{}');
  let most = 0;
  server.on('message', () => (most = Math.max(most, server.bufferedAmount)));
  await closed;
  expect(most).toBeLessThan(20 * MIB);
});

it('one that paused briefly keeps its connection', async () => {
  const { client, server, notify } = await served({ behind: 8 * MIB, patience: 60_000, most: 64 * MIB });
  client.pause();
  for (let sent = 0; sent < 50; sent += 1) notify(BATCH);
  client.resume();
  await expect.poll(() => server.bufferedAmount).toBe(0);
  const next = once(client, 'message');
  notify(BATCH);
  await next;
  expect(server.readyState).toBe(server.OPEN);
});
