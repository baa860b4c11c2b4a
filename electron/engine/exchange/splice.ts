import type { Duplex } from 'node:stream';

export interface SpliceHandlers {
  /** Bytes as they pass. False asks to hold that direction until `resume` of the returned control is called. */
  bytes(from: 'client' | 'upstream', chunk: Buffer): boolean;
  /** Both directions have ended. `error`: the first one, where there was one. */
  closed(error: Error | null): void;
}

export interface SpliceControl {
  resume(from: 'client' | 'upstream'): void;
}

function pump(source: Duplex, sink: Duplex, bytes: (chunk: Buffer) => boolean): void {
  source.on('data', (chunk: Buffer) => {
    const recorded = bytes(chunk);
    if (!sink.write(chunk) || !recorded) source.pause();
  });
  sink.on('drain', () => source.resume());
  // A half-closed side stays half-closed: the other may still have something to say.
  source.on('end', () => sink.end());
}

/** Joins two connections, byte for byte, with backpressure, until both are closed. `ahead`: what was read before. */
export function splice(
  client: { socket: Duplex; ahead: Buffer },
  upstream: { socket: Duplex; ahead: Buffer },
  handlers: SpliceHandlers,
): SpliceControl {
  let open = 2;
  let firstError: Error | null = null;
  const onClose = (other: Duplex, failed: boolean): void => {
    if (failed) other.destroy();
    open -= 1;
    if (open === 0) handlers.closed(firstError);
  };
  for (const [own, other] of [
    [client.socket, upstream.socket],
    [upstream.socket, client.socket],
  ] as const) {
    own.on('error', (error: Error) => {
      firstError ??= error;
    });
    own.once('close', () => onClose(other, !own.readableEnded || firstError !== null));
  }
  if (client.ahead.length > 0) client.socket.unshift(client.ahead);
  if (upstream.ahead.length > 0) upstream.socket.unshift(upstream.ahead);
  pump(client.socket, upstream.socket, (chunk) => handlers.bytes('client', chunk));
  pump(upstream.socket, client.socket, (chunk) => handlers.bytes('upstream', chunk));
  client.socket.resume();
  upstream.socket.resume();
  return { resume: (from) => (from === 'client' ? client.socket : upstream.socket).resume() };
}
