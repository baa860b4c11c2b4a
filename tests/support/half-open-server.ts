import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that keeps its side open when its client ends, and handles each connection as given. Its port. */
export async function halfOpenServer(serve: (socket: net.Socket) => void): Promise<number> {
  const sockets = new Set<net.Socket>();
  const listening = net.createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => {
    listening.close();
    for (const socket of sockets) socket.destroy();
  });
  return (listening.address() as AddressInfo).port;
}
