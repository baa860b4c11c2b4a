import { once } from 'node:events';
import type { ReplayHead } from './replay-head.ts';

export interface ReplayResponse {
  head: ReplayHead;
  /** Null: the response ends with its head. */
  body: Iterable<Uint8Array> | null;
  /** Over HTTP/1.1, head and body leave in separate writes. */
  split: boolean;
}

/** A request that a replay origin received, over either protocol, and how to respond to it. */
export interface ReplayExchange {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** `name`: lower case. */
  header(name: string): string | undefined;
  /** Calls back once: the response was sent (`whole`), or the browser disconnected or cancelled the request. */
  onClose(listener: (whole: boolean) => void): void;
  /** Resolves when the response was handed over; rejects if the connection fails before. */
  respond(response: ReplayResponse): Promise<void>;
  destroy(): void;
}

/** The sink for a body in both protocols. */
interface Sink {
  write(piece: Uint8Array): boolean;
  end(piece?: Uint8Array): unknown;
}

/** Writes the body's last piece together with the end: each separate write costs the browser a read. */
export async function writeBody(sink: Sink & NodeJS.EventEmitter, body: Iterable<Uint8Array>): Promise<void> {
  let previous: Uint8Array | null = null;
  for (const piece of body) {
    if (previous !== null && !sink.write(previous)) await once(sink, 'drain');
    previous = piece;
  }
  if (previous === null) sink.end();
  else sink.end(previous);
}
