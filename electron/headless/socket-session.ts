import type { RawData, WebSocket } from 'ws';
import { type Notice, REFUSALS, type Reply } from '../../shared/contract/envelope.ts';
import { NO_CALL, refusal } from '../commands/dispatch.ts';
import type { Host } from '../commands/host.ts';

/** A browser that does not read: past this many bytes waiting, its feed is left out, and the gap tells it to read again. */
const SEND_LIMIT = 16 * 1024 * 1024;

function parse(data: RawData, isBinary: boolean): { message: unknown } | null {
  if (isBinary) return null;
  try {
    return { message: JSON.parse(data.toString()) };
  } catch {
    return null;
  }
}

/** One browser window's connection: its calls answered, its notices sent, until it closes. */
export function serveSocket(socket: WebSocket, host: Host): void {
  const send = (message: Reply | Notice) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  };
  const connection = host.connect((notice) => {
    if (notice.event !== 'feed.batch' || socket.bufferedAmount < SEND_LIMIT) send(notice);
  });
  socket.on('message', (data, isBinary) => {
    const parsed = parse(data, isBinary);
    if (parsed === null) return send(refusal(NO_CALL, REFUSALS.notAMessage, 'This is no JSON.'));
    void connection.dispatch(parsed.message).then(send);
  });
  // What ws finds wrong with a frame it answers with a close code; the error itself is of no use to anyone else.
  socket.on('error', () => socket.terminate());
  socket.once('close', () => connection.close());
}
