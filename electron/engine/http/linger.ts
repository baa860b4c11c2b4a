import type { Socket } from 'node:net';

/**
 * How long a client may take to close its side after our end: milliseconds without a byte. nginx waits as long
 * (`lingering_timeout`). Bytes in the kernel's send buffer still reach the client after that.
 */
const LINGER_TIME = 5_000;

/**
 * Ends our side of a connection whose client may keep its own side open (RFC 9112, section 9.6), and releases the
 * socket when the client stays silent. Further input is read and dropped: an unread byte would turn our close into a
 * reset, and the client could lose the last response. The caller removes its own 'data' listener first.
 * `silence`: the maximum silence of the client, milliseconds.
 */
export function endAndLinger(socket: Socket, silence: number, last: string | Buffer | null = null): void {
  socket.once('finish', () => socket.setTimeout(Math.min(LINGER_TIME, silence), () => socket.destroy()));
  if (last === null) socket.end();
  else socket.end(last);
  socket.resume();
}

/**
 * Closes a connection without an orderly end, once what was written has left. A TLS socket encrypts as much as its
 * connection takes, and drops the rest if it is destroyed before. Nothing more is read from the client meanwhile; one
 * that takes nothing is ended by the socket's timeout. `close`: closes it, for example with a TCP reset.
 */
export function destroyWhenWritten(socket: Socket, close = (each: Socket): unknown => each.destroy()): void {
  if (socket.writableLength === 0) {
    close(socket);
    return;
  }
  socket.pause();
  socket.once('timeout', () => socket.destroy());
  socket.write('', () => close(socket));
}
