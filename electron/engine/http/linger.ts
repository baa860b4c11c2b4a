import type { Socket } from 'node:net';

/**
 * How long a client may take to close its side once it has our end; milliseconds without a byte. nginx waits as long
 * (`lingering_timeout`). What the kernel still holds for the client reaches it after that too.
 */
const LINGER_TIME = 5_000;

/**
 * Ends our side of a connection whose client may keep its own side open (RFC 9112, section 9.6), and releases the socket
 * when the client stays silent. What the client still sends is read and dropped: an unread byte would turn our close into
 * a reset, and the client could lose the last answer to it. The caller takes its own 'data' listener off before.
 * `silence`: what a client may be silent for at most; milliseconds.
 */
export function endAndLinger(socket: Socket, silence: number, last: string | null = null): void {
  socket.once('finish', () => socket.setTimeout(Math.min(LINGER_TIME, silence), () => socket.destroy()));
  if (last === null) socket.end();
  else socket.end(last);
  socket.resume();
}
