import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

const below = new WeakMap<Duplex, Duplex>();

/** Keeps what a TLS socket was made of. */
export function rememberBelow(secure: TLSSocket, socket: Duplex): void {
  below.set(secure, socket);
}

function lowest(socket: Duplex): Duplex {
  const under = below.get(socket);
  return under ? lowest(under) : socket;
}

/**
 * Ends a connection with a TCP reset, through its TLS where there is one: Node resets TCP sockets alone, and throws
 * ERR_INVALID_HANDLE_TYPE for others. Electron's older Node can't at all: the connection is closed there. A stream of an
 * HTTP/2 connection passes the error on as its own kind of reset (RFC 9113, section 8.5).
 */
export function resetConnection(socket: Duplex): void {
  const line = lowest(socket);
  if (!(line instanceof Socket) || line instanceof TLSSocket)
    line.destroy(Object.assign(new Error('the other side was reset'), { code: 'ECONNRESET' }));
  else if (typeof line.resetAndDestroy === 'function') line.resetAndDestroy();
  socket.destroy();
}
