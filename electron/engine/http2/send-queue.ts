import type { RawHeaders } from '../../../shared/model/headers.ts';
import { PieceQueue } from './piece-queue.ts';

/** What a stream has to send and may not have sent yet: its body's bytes, and how it ends. */
export class SendQueue extends PieceQueue {
  /** Nothing is added any more. */
  ended = false;
  /** By RST_STREAM. */
  endsByReset = false;
  /** Go out behind the last byte. */
  trailers: RawHeaders | null = null;

  /** Bytes that were never sent. */
  dropped = 0;

  drop(): void {
    this.dropped += this.bytes;
    this.clear();
    this.trailers = null;
  }
}
