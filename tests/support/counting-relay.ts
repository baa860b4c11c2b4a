import net from 'node:net';
import { listenInTest } from './listen-in-test.ts';

export interface CountingRelay {
  port: number;
  connections: number;
  /** Sockets open now, of both sides. */
  readonly open: number;
  /** What we sent, over all connections. */
  sent: string;
  /** Ends all open ones silently. */
  cut(): void;
}

/** A relay before a real proxy on `target`, which counts connections and keeps what we send, until the test ends. */
export async function countingRelay(target: number): Promise<CountingRelay> {
  const open = new Set<net.Socket>();
  const relay: CountingRelay = {
    port: 0,
    connections: 0,
    sent: '',
    get open() {
      return open.size;
    },
    cut: () => {
      for (const socket of open) socket.destroy();
    },
  };
  const server = net.createServer({ noDelay: true }, (client) => {
    relay.connections += 1;
    const upstream = net.connect({ port: target, host: '127.0.0.1', noDelay: true });
    client.on('data', (chunk: Buffer) => {
      relay.sent += chunk.toString('latin1');
    });
    client.pipe(upstream).pipe(client);
    for (const [own, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(own);
      own.on('error', () => {});
      own.on('close', () => {
        open.delete(own);
        other.destroy();
      });
    }
  });
  relay.port = await listenInTest(server);
  return relay;
}
