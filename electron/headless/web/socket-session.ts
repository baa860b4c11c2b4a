import type { RawData, WebSocket } from 'ws';
import { type Notice, REFUSALS, type Reply } from '../../../shared/contract/envelope.ts';
import { NO_CALL, refusal } from '../../commands/dispatch.ts';
import type { Host } from '../../commands/host.ts';

/** What a browser may leave unread. */
export interface ReadingBounds {
  /** Bytes. Past them its feed is left out, and the gap tells it to read the rows again. */
  behind: number;
  /** Milliseconds for which it may stay that far behind. */
  patience: number;
  /** Bytes past which it is dropped at once: answers to its calls are never left out. */
  most: number;
}

const MIB = 1024 * 1024;
/** A window that was asleep catches up with 16 MiB in a second; one that takes nothing for 30 s has gone, or does harm. */
const BOUNDS: ReadingBounds = { behind: 16 * MIB, patience: 30_000, most: 64 * MIB };

function parse(data: RawData, isBinary: boolean): { message: unknown } | null {
  if (isBinary) return null;
  try {
    return { message: JSON.parse(data.toString()) };
  } catch {
    return null;
  }
}

/** One browser window's connection: its calls answered, its notices sent, until it closes. */
export function serveSocket(socket: WebSocket, host: Pick<Host, 'connect'>, bounds = BOUNDS): void {
  let patience: NodeJS.Timeout | null = null;
  const isBehind = (): boolean => socket.bufferedAmount >= bounds.behind;
  const look = (): void => {
    patience = null;
    if (isBehind()) socket.terminate();
  };
  const send = (message: Reply | Notice): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount >= bounds.most) socket.terminate();
    else socket.send(JSON.stringify(message));
    if (isBehind()) patience ??= setTimeout(look, bounds.patience);
  };
  const connection = host.connect((notice) => {
    if (notice.event !== 'feed.batch' || !isBehind()) send(notice);
  });
  socket.on('message', (data, isBinary) => {
    const parsed = parse(data, isBinary);
    if (parsed === null) return send(refusal(NO_CALL, REFUSALS.notAMessage, 'This is no JSON.'));
    void connection.dispatch(parsed.message).then(send);
  });
  // What ws finds wrong with a frame it answers with a close code; the error itself is of no use to anyone else.
  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    if (patience) clearTimeout(patience);
    connection.close();
  });
}
