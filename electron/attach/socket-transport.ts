import { once } from 'node:events';
import { type RawData, WebSocket } from 'ws';
import type { Transport } from '../../shared/client/transport.ts';

/** Something accepted the connection, and did not answer in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

function parse(data: RawData, isBinary: boolean): unknown {
  try {
    return isBinary ? null : JSON.parse(data.toString());
  } catch {
    return null;
  }
}

/** Rejects with the connection's error, or `NoAnswer`. */
async function opened(socket: WebSocket, patience: number): Promise<void> {
  const giveUp = new AbortController();
  // Not at once: if this thread was busy for that long, the response may be waiting to be read.
  const timer = setTimeout(() => setImmediate(() => giveUp.abort()), patience);
  try {
    await once(socket, 'open', { signal: giveUp.signal });
  } catch (error) {
    if (!giveUp.signal.aborted) throw error;
    socket.on('error', () => undefined).terminate();
    throw new NoAnswer();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A WebSocket to a running Roundtrip; once lost, it stays closed. Rejects if nothing accepts it, with `NoAnswer` if
 * nothing answers within `patience` milliseconds.
 */
export async function socketTransport(
  url: string,
  token: string,
  patience: number,
): Promise<{ transport: Transport; closed: Promise<void>; close: () => void }> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/inspector?token=${encodeURIComponent(token)}`, {
    perMessageDeflate: false,
  });
  await opened(socket, patience);
  // A failed connection closes too.
  socket.on('error', () => undefined);
  const transport: Transport = {
    send: (call) => {
      if (socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('closed'));
      socket.send(JSON.stringify(call));
      return null;
    },
    onMessage: (listener) => void socket.on('message', (data, isBinary) => listener(parse(data, isBinary))),
    onConnection: (listener) => {
      listener(socket.readyState === WebSocket.OPEN);
      socket.once('close', () => listener(false));
    },
  };
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { transport, closed, close: () => socket.close() };
}
