import type { Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listen } from './listen.ts';

/** Listens on a free port of loopback until the test ends, which also ends open connections. Resolves with the port. */
export async function listenInTest(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', keep);
  // Of a TLS server: its sockets are destroyed before those below them.
  server.on('secureConnection', keep);
  onTestFinished(() => {
    server.close();
    for (const socket of [...sockets].reverse()) socket.destroy();
  });
  return await listen(server);
}
