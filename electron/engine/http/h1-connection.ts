import type { Socket } from 'node:net';
import type { ClientConnection } from './client-stream.ts';
import type { GatheredWriter } from './gathered-writer.ts';

/** The operations that a request needs from its HTTP/1.1 client connection. */
export interface H1Connection {
  readonly socket: Socket;
  readonly writer: GatheredWriter;
  readonly connection: ClientConnection;
  /** Continues parsing: the request accepts bytes again. */
  parse(): void;
  /** The response was sent and the request received. */
  finished(keepAlive: boolean): void;
  /** Releases the socket and returns the bytes read ahead. */
  detach(): Buffer;
}
