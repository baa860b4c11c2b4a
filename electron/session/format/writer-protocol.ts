import type { Failure } from '../../../shared/model/failure.ts';

/** What a column of the session file takes. */
export type Cell = string | number | null;

/**
 * Rows of exchanges. Flat (cells of all rows one after the other, `*_COLUMNS` long each): a structured clone of one flat
 * array costs a fraction of one of objects.
 */
export interface RowCells {
  exchanges: Cell[];
  details: Cell[];
  connections: Cell[];
}

/** Everything that came since the batch before; the writer makes one transaction of it. */
export interface WriteBatch extends RowCells {
  kind: 'batch';
  messages: Cell[];
  /** Body pieces, `PIECE_FIELDS` numbers each: exchange, side (0 request, 1 response), offset, index into `slabs`, start, length. */
  pieces: number[];
  /** Shared: the sender still has them if the writer's thread dies. It uses them again once the batch is acknowledged. */
  slabs: SharedArrayBuffer[];
}

export const PIECE_FIELDS = 6;

/**
 * From the engine's thread to the writer's; each is acknowledged, in order, once it is done. `resume` comes first from an
 * engine whose former writer died.
 */
export type ToWriter = WriteBatch | { kind: 'clear'; sessionId: string } | { kind: 'close' };
export interface Resume {
  kind: 'resume';
  /** The session that the file has to hold, and those that it may hold if the writer did more than it acknowledged. */
  sessionIds: [string, ...string[]];
}

/** What the writer found when it opened the file: the ids to go on with. */
export interface OpenedSession {
  sessionId: string;
  path: string;
  nextExchangeId: number;
  nextConnectionId: number;
}

/**
 * From the writer's thread. The first is `opened` or `open-failed`. `trouble`: writing fails and is tried again until
 * `failure` is null. `moved`: the session goes on in another file. `done`: with `refused` where it never can be, whatever the
 * disk does.
 */
export type FromWriter =
  | { kind: 'opened'; session: OpenedSession }
  | { kind: 'open-failed'; failure: Failure }
  | { kind: 'trouble'; failure: Failure | null }
  | { kind: 'moved'; path: string; failure: Failure }
  | { kind: 'done'; refused: Failure | null };
