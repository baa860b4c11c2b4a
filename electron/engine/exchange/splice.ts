import type { Duplex } from 'node:stream';
import type { Failure } from '../../../shared/model/failure.ts';
import { failure } from '../errors.ts';

type Side = 'client' | 'upstream';

/** The first error of a connection that broke, and whose it was. */
export interface Broken {
  by: Side;
  error: Error;
}

/** What that means for an exchange with `authority`. */
export function brokenBy({ by }: Broken, authority: string): Failure {
  return by === 'client' ? failure('client.aborted', {}) : failure('upstream.reset', { address: authority });
}

export interface SpliceHandlers {
  /** Bytes as they pass. False asks to hold that direction until `resume` of the returned control is called. */
  bytes(from: Side, chunk: Buffer): boolean;
  /** Both directions have ended. */
  closed(broken: Broken | null): void;
}

export interface SpliceControl {
  resume(from: Side): void;
}

/**
 * One direction. It pauses for a full sink and for a recorder that lags behind, and flows when neither holds it.
 * Returns what to call once the recorder takes more.
 */
function pump(source: Duplex, sink: Duplex, bytes: (chunk: Buffer) => boolean): () => void {
  let held = false;
  let full = false;
  const flow = (): void => {
    if (!held && !full) source.resume();
  };
  source.on('data', (chunk: Buffer) => {
    held = !bytes(chunk);
    full = !sink.write(chunk);
    if (held || full) source.pause();
  });
  sink.on('drain', () => {
    full = false;
    flow();
  });
  // A half-closed side stays half-closed: the other may still have something to say.
  source.on('end', () => sink.end());
  return () => {
    held = false;
    flow();
  };
}

/** Joins two connections, byte for byte, with backpressure, until both are closed. `ahead`: what was read before. */
export function splice(
  client: { socket: Duplex; ahead: Buffer },
  upstream: { socket: Duplex; ahead: Buffer },
  handlers: SpliceHandlers,
): SpliceControl {
  let open = 2;
  let broken: Broken | null = null;
  const onClose = (other: Duplex, failed: boolean): void => {
    if (failed) other.destroy();
    open -= 1;
    if (open === 0) handlers.closed(broken);
  };
  for (const [by, own, other] of [
    ['client', client.socket, upstream.socket],
    ['upstream', upstream.socket, client.socket],
  ] as const) {
    own.on('error', (error: Error) => {
      broken ??= { by, error };
    });
    own.once('close', () => onClose(other, !own.readableEnded || broken !== null));
  }
  if (client.ahead.length > 0) client.socket.unshift(client.ahead);
  if (upstream.ahead.length > 0) upstream.socket.unshift(upstream.ahead);
  const fromClient = pump(client.socket, upstream.socket, (chunk) => handlers.bytes('client', chunk));
  const fromUpstream = pump(upstream.socket, client.socket, (chunk) => handlers.bytes('upstream', chunk));
  client.socket.resume();
  upstream.socket.resume();
  return { resume: (from) => (from === 'client' ? fromClient() : fromUpstream()) };
}
