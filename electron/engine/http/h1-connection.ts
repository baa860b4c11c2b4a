import type { Socket } from 'node:net';
import type { ClientConnection } from './client-stream.ts';
import type { GatheredWriter } from './gathered-writer.ts';

/** What a request needs of the HTTP/1.1 client connection that carries it. */
export interface H1Connection {
  readonly socket: Socket;
  readonly writer: GatheredWriter;
  readonly connection: ClientConnection;
  /** Reads on: the request takes bytes again. */
  parse(): void;
  /** The response is out and the request is in. */
  finished(keepAlive: boolean): void;
  /** Gives the socket up, and returns what was read ahead. */
  detach(): Buffer;
}
