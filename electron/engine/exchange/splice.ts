import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Failure } from '../../../shared/model/failure.ts';
import { failure, systemCode } from '../../failures/errors.ts';
import type { EditorOutput, MessagePassage } from '../rules/messages/message-editor.ts';
import { resetConnection } from '../tls/reset-below.ts';
import { Pump, type SplicedSide } from './flow/pump.ts';

export type Side = 'client' | 'upstream';

/** The first error of spliced connections, and the side it occurred on. */
export interface SpliceError {
  by: Side;
  error: Error;
}

/** The failure for an exchange with `authority`. */
export function spliceFailure({ by }: SpliceError, authority: string): Failure {
  return by === 'client' ? failure('client.aborted', {}) : failure('upstream.reset', { address: authority });
}

export interface SpliceHandlers {
  /** Called with the bytes as they pass. Return false to pause that direction until the returned control's `resume`. */
  bytes(from: Side, chunk: Buffer): boolean;
  /** How long these bytes wait before they pass, milliseconds. */
  waits?: (from: Side, bytes: number) => number;
  /** Changes the messages from this side as they pass; null: nothing does. `out` passes the bytes on. */
  editor?: (from: Side, output: EditorOutput) => MessagePassage | null;
  /** Both connections are closed. */
  closed(spliceError: SpliceError | null): void;
}

export interface SpliceControl {
  resume(from: Side): void;
}

/** System errors that mean the other end reset the connection or disappeared. */
const RESETS: ReadonlySet<string | null> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

const NOTHING = Buffer.alloc(0);

/** Ends one side as the other ended: with a reset after pending writes, which get `time` milliseconds, or at once. */
function breakOff(socket: Duplex, error: Error | null, time: number): void {
  if (socket.destroyed) return;
  if (!RESETS.has(systemCode(error))) socket.destroy();
  else if (socket.writableLength === 0 || socket.writableEnded || !(socket instanceof Socket)) resetConnection(socket);
  else {
    socket.setTimeout(time, () => socket.destroy());
    socket.write(NOTHING, () => resetConnection(socket));
  }
}

/**
 * The system ends a half-closed connection of a terminated process after a timeout (FIN-WAIT-2, a minute on Linux). Our
 * process stays, and a side that never closes would hold both sockets forever. All bytes pass through the client's
 * socket in either direction and restart its timeout.
 */
function boundHalfOpen(client: Duplex, upstream: Duplex, time: number): void {
  if (!(client instanceof Socket)) return;
  const arm = (): void => void client.setTimeout(time);
  client.once('timeout', () => {
    client.destroy();
    upstream.destroy();
  });
  for (const side of [client, upstream]) {
    if (side.readableEnded) arm();
    else side.once('end', arm);
  }
}

/**
 * Joins two connections, byte for byte, with backpressure, until both are closed. A side that ended or broke before
 * this call is treated as if it did so now. `halfOpenTime`: the maximum silence of a joined pair after one side has
 * ended, milliseconds.
 */
export function splice(
  client: SplicedSide,
  upstream: SplicedSide,
  halfOpenTime: number,
  handlers: SpliceHandlers,
): SpliceControl {
  let open = 2;
  let spliceError: SpliceError | null = null;
  const watch = (by: Side, own: Duplex, other: Duplex): void => {
    const failed = (error: Error): void => {
      spliceError ??= { by, error };
    };
    const closed = (): void => {
      if (!own.readableEnded || spliceError !== null) breakOff(other, spliceError?.error ?? null, halfOpenTime);
      open -= 1;
      if (open === 0) handlers.closed(spliceError);
    };
    own.on('error', failed);
    if (!own.closed) {
      own.once('close', closed);
      return;
    }
    if (own.errored) failed(own.errored);
    queueMicrotask(closed);
  };
  watch('client', client.socket, upstream.socket);
  watch('upstream', upstream.socket, client.socket);
  boundHalfOpen(client.socket, upstream.socket, halfOpenTime);
  const join = (from: Side, source: SplicedSide, sink: Duplex) => {
    const { waits, editor } = handlers;
    return new Pump(source, sink, {
      bytes: (chunk) => handlers.bytes(from, chunk),
      waits: waits ? (size) => waits(from, size) : null,
      editor: editor ? (output) => editor(from, output) : null,
    });
  };
  const fromClient = join('client', client, upstream.socket);
  const fromUpstream = join('upstream', upstream, client.socket);
  return { resume: (from) => (from === 'client' ? fromClient : fromUpstream).resume() };
}
