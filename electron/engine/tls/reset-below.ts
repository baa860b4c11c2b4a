import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

const below = new WeakMap<Duplex, Duplex>();

/** Remembers the socket below a TLS socket. */
export function rememberBelow(secure: TLSSocket, socket: Duplex): void {
  below.set(secure, socket);
}

function lowest(socket: Duplex): Duplex {
  const under = below.get(socket);
  return under ? lowest(under) : socket;
}

/**
 * Ends a connection with a TCP reset. Node resets only TCP sockets and throws ERR_INVALID_HANDLE_TYPE for a TLS socket;
 * therefore this resets the socket below. An HTTP/2 stream turns the error into RST_STREAM (RFC 9113, section 8.5).
 */
export function resetConnection(socket: Duplex): void {
  const line = lowest(socket);
  if (!(line instanceof Socket) || line instanceof TLSSocket)
    line.destroy(Object.assign(new Error('the other side was reset'), { code: 'ECONNRESET' }));
  else line.resetAndDestroy();
  socket.destroy();
}
