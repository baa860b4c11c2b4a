import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type net from 'node:net';

/** Resolves when this many connections of this process, which also runs the engine, were refused. */
export function refusals(count: number): Promise<void> {
  const channel = 'net.client.socket';
  let left = count;
  return new Promise((resolve) => {
    const watch = (message: unknown): void => {
      const { socket } = message as { socket: net.Socket };
      socket.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNREFUSED') return;
        left -= 1;
        if (left > 0) return;
        unsubscribe(channel, watch);
        resolve();
      });
    };
    subscribe(channel, watch);
  });
}
