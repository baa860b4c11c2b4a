import { once } from 'node:events';
import { type RawData, WebSocket } from 'ws';
import type { Transport } from '../../shared/client/transport.ts';

/** Milliseconds. A web host on loopback responds at once; one that is stopped (SIGSTOP) never does. */
const PATIENCE = 10_000;

function parse(data: RawData, isBinary: boolean): unknown {
  try {
    return isBinary ? null : JSON.parse(data.toString());
  } catch {
    return null;
  }
}

/** A WebSocket to a running Roundtrip. Rejects if nothing accepts it; once lost, it stays closed. */
export async function socketTransport(
  url: string,
  token: string,
): Promise<{ transport: Transport; closed: Promise<void>; close: () => void }> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/inspector?token=${encodeURIComponent(token)}`, {
    handshakeTimeout: PATIENCE,
    perMessageDeflate: false,
  });
  await once(socket, 'open');
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
