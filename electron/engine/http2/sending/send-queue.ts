import type { RawHeaders } from '../../../../shared/model/headers.ts';
import { PieceQueue } from '../piece-queue.ts';

/** The unsent part of a stream's body, and how the stream ends. */
export class SendQueue extends PieceQueue {
  /** Nothing more is added. */
  ended = false;
  /** The code of the RST_STREAM that ends the body; null: END_STREAM ends it. */
  endsByReset: number | null = null;
  /** Sent after the last byte. */
  trailers: RawHeaders | null = null;

  /** Number of bytes dropped unsent. */
  dropped = 0;

  drop(): void {
    this.dropped += this.bytes;
    this.clear();
    this.trailers = null;
  }
}
