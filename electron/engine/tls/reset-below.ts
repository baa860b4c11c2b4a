import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

const below = new WeakMap<Socket, Socket>();

/** Keeps what a TLS socket was made of. */
export function rememberBelow(secure: TLSSocket, socket: Socket): void {
  below.set(secure, socket);
}

/**
 * Ends a connection with a TCP reset, through its TLS where there is one: Node resets TCP sockets alone, and throws
 * ERR_INVALID_HANDLE_TYPE for others. Electron's older Node can't at all: the connection is closed there.
 */
export function resetConnection(socket: Socket): void {
  const tcp = below.get(socket) ?? socket;
  if (typeof tcp.resetAndDestroy === 'function') tcp.resetAndDestroy();
  socket.destroy();
}
