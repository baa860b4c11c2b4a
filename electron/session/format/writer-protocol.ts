import type { Failure } from '../../../shared/model/failure.ts';

/** A value of a column in the session file. */
export type Cell = string | number | null;

/**
 * Rows of exchanges, flat: the cells of all rows in sequence, `*_COLUMNS` cells per row. A structured clone of a flat
 * array costs a fraction of one of objects.
 */
export interface RowCells {
  exchanges: Cell[];
  details: Cell[];
  connections: Cell[];
}

/** Everything since the previous batch; the writer writes it in one transaction. */
export interface WriteBatch extends RowCells {
  kind: 'batch';
  /** `MESSAGE_COLUMNS` numbers per row (`writeMessage`). */
  messages: number[] | Float64Array;
  /**
   * Body pieces, `PIECE_FIELDS` numbers each: exchange, side (`sideCell`), offset, index into `slabs`,
   * start, length.
   */
  pieces: number[];
  /** Shared: the sender still has them if the writer thread dies. It reuses them once the batch is acknowledged. */
  slabs: SharedArrayBuffer[];
}

export const PIECE_FIELDS = 6;

/**
 * From the engine thread to the writer thread. The writer acknowledges each message, in order, once it is done. An
 * engine whose previous writer died sends `resume` first.
 */
export type ToWriter = WriteBatch | { kind: 'clear'; sessionId: string } | { kind: 'close' };
export interface Resume {
  kind: 'resume';
  /** The session expected in the file, then those it may hold if the writer did more than it acknowledged. */
  sessionIds: [string, ...string[]];
  /** The first id of this engine's exchanges. */
  firstExchange: number;
}

/** What the writer found when it opened the file, including the next ids to use. */
export interface OpenedSession {
  sessionId: string;
  path: string;
  nextExchangeId: number;
  nextConnectionId: number;
}

/**
 * From the writer thread. The first message is `opened` or `open-failed`. `trouble`: writing fails and is retried until
 * `failure` is null. `moved`: the session continues in another file, with `ended` of this engine's ended exchanges;
 * `whole`: with all that was recorded. `done` acknowledges a message; `refused` is set if it can never be written, even
 * by a working disk.
 */
export type FromWriter =
  | { kind: 'opened'; session: OpenedSession }
  | { kind: 'open-failed'; failure: Failure }
  | { kind: 'trouble'; failure: Failure | null }
  | { kind: 'moved'; path: string; failure: Failure; ended: number; whole: boolean }
  | { kind: 'done'; refused: Failure | null };
