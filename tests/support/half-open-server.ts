import net from 'node:net';
import { listenInTest } from './listen-in-test.ts';

/** A server that keeps its side open when its client ends, and handles each connection as given. Its port. */
export async function halfOpenServer(serve: (socket: net.Socket) => void): Promise<number> {
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    serve(socket);
  });
  return await listenInTest(server);
}
