import { once } from 'node:events';
import net from 'node:net';
import { listenInTest } from './listen-in-test.ts';
import { ReceivedText } from './received-text.ts';

export interface RawOrigin {
  port: number;
  /** Everything received, over all connections. */
  received(): string;
  connections(): number;
  /** Resolves when the received data of all connections contains this. */
  receives(text: string): Promise<void>;
}

/** A TCP server that handles each connection as given. */
export async function rawOrigin(serve: (socket: net.Socket, received: string) => void): Promise<RawOrigin> {
  const all = new ReceivedText();
  let count = 0;
  const server = net.createServer((socket) => {
    count += 1;
    let own = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      own += chunk.toString('latin1');
      all.add(chunk);
      serve(socket, own);
    });
  });
  const port = await listenInTest(server);
  return {
    port: port,
    received: () => all.all,
    connections: () => count,
    receives: (text) => all.includes(text),
  };
}

/** Sends bytes to a port of loopback, and returns everything received until the other side closes. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return response;
}
