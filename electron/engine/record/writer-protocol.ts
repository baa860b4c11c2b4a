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
  /** Transferred, and handed back with the acknowledgement. */
  slabs: ArrayBuffer[];
}

export const PIECE_FIELDS = 6;

/** From the engine's thread to the writer's; each is acknowledged, in order. */
export type ToWriter = WriteBatch | { kind: 'clear'; sessionId: string } | { kind: 'close' };

/** What the writer found when it opened the file: the ids to go on with. */
export interface OpenedSession {
  sessionId: string;
  path: string;
  nextExchangeId: number;
  nextConnectionId: number;
}

/**
 * From the writer's thread. The first is `opened` or `open-failed`. `written`: it is in the file. `failure`: this write
 * failed, and the one before did not.
 */
export type FromWriter =
  | { kind: 'opened'; session: OpenedSession }
  | { kind: 'open-failed'; failure: Failure }
  | { kind: 'done'; slabs: ArrayBuffer[]; written: boolean; failure: Failure | null };
