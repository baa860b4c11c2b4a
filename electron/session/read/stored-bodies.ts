import type { RecordedSide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';

/** The bodies in a session file: without framing, with content codings as received. */
export interface StoredBodies {
  /** Changes when the session is cleared. */
  sessionId(): string;
  /** Throws `session.not-found`. */
  get(id: number): Exchange;
  /** Bytes stored. */
  bodySize(id: number, side: RecordedSide): number;
  /** The stored bytes from `offset` on, in pieces. */
  bodyPieces(id: number, side: RecordedSide, offset?: number): Iterable<Uint8Array>;
}
