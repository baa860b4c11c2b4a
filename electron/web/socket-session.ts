import type { RawData, WebSocket } from 'ws';
import { type Notice, REFUSALS, type Reply } from '../../shared/contract/envelope.ts';
import type { Host } from '../commands/host.ts';
import type { FileSink } from '../commands/host-services.ts';
import { NO_CALL, refusal } from '../commands/refusal.ts';

/** Limits for data that a browser has not read yet. */
export interface ReadingBounds {
  /** Bytes beyond which feed batches are dropped; the gap in their sequence makes the window read the rows again. */
  behind: number;
  /** Milliseconds that it may stay that far behind before it is disconnected. */
  patience: number;
  /** Bytes beyond which it is disconnected at once: replies to its calls are never dropped. */
  most: number;
}

const MIB = 1024 * 1024;
/** A window that was asleep reads 16 MiB in a second; one that reads nothing for 30 s is gone or malicious. */
const BOUNDS: ReadingBounds = { behind: 16 * MIB, patience: 30_000, most: 64 * MIB };

function parse(data: RawData, isBinary: boolean): { message: unknown } | null {
  if (isBinary) return null;
  try {
    return { message: JSON.parse(data.toString()) };
  } catch {
    return null;
  }
}

/** Calls of an address; as many as a window asks first, and few enough that they are no burden. */
const FIRST_CALLS = 16;

/**
 * The calls that a window's address holds (`first`): JSON of an array. A browser tells a page that its socket is open
 * only when the page's thread is free, and until then the page can't send; the host answers these meanwhile.
 */
export function firstCalls(text: string | null): unknown[] {
  try {
    const calls: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(calls) ? calls.slice(0, FIRST_CALLS) : [];
  } catch {
    return [];
  }
}

interface ServingOptions {
  bounds?: ReadingBounds;
  /** Handled as if the window had sent them. */
  first?: readonly unknown[];
}

/** Serves one browser window: handles its calls and sends notices until the socket closes. */
export function serveSocket(
  socket: WebSocket,
  host: Pick<Host, 'connect'>,
  files: FileSink | null,
  { bounds = BOUNDS, first = [] }: ServingOptions = {},
): void {
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
  }, files);
  for (const message of first) void connection.dispatch(message).then(send);
  socket.on('message', (data, isBinary) => {
    const parsed = parse(data, isBinary);
    if (parsed === null) return send(refusal(NO_CALL, REFUSALS.notAMessage, 'This is not JSON.'));
    void connection.dispatch(parsed.message).then(send);
  });
  // For an invalid frame, ws sends a close code itself; the error is of no further use.
  socket.on('error', () => socket.terminate());
  socket.once('close', () => {
    if (patience) clearTimeout(patience);
    connection.close();
  });
}
