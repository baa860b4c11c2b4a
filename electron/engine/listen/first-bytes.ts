import type { Socket } from 'node:net';
import { type Spoken, sniff } from './sniff.ts';

export interface FirstBytes {
  spoken: Spoken;
  bytes: Buffer;
}

/**
 * Reads until the client's protocol is known, then pauses the socket. Resolves with null if the client ended its side
 * or closed before sending a byte. Either may have happened before this call: a paused socket still emits 'end' and
 * 'close'.
 */
export function firstBytes(
  socket: Socket,
  ahead: Buffer,
  signal: { stop(cancel: () => void): void } | null,
  protocolOf: (bytes: Buffer) => Spoken = sniff,
): Promise<FirstBytes | null> {
  return new Promise((resolve) => {
    let bytes = ahead;
    const finish = (spoken: Spoken | null): void => {
      socket.off('data', onData).off('close', onClose).off('end', onClose);
      socket.pause();
      resolve(spoken && { spoken, bytes });
    };
    const onClose = (): void => finish(bytes.length > 0 ? 'unknown' : null);
    const onData = (chunk: Buffer): void => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
      const spoken = protocolOf(bytes);
      if (spoken !== 'more') finish(spoken);
    };
    const spoken = protocolOf(bytes);
    socket.on('data', onData).on('close', onClose).on('end', onClose);
    signal?.stop(() => finish('more'));
    if (spoken !== 'more') finish(spoken);
    else if (socket.destroyed || socket.readableEnded) onClose();
    else socket.resume();
  });
}
