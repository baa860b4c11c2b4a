import type { BodySide } from '../../shared/model/body-side.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { MessageMark } from '../../shared/model/message-mark.ts';

/**
 * What the engine tells of its exchanges. Calls, not event objects: they stand on the hot path. The engine keeps one
 * `Exchange` object for each exchange and changes it in place, so an observer copies what it wants to keep.
 */
export interface ExchangeObserver {
  /** False while nothing is recorded: the engine then makes no calls for exchanges that begin. */
  readonly recording: boolean;
  /** The next exchange's id, unique within the session. */
  nextExchangeId(): number;
  /** Likewise for connections of both sides. */
  nextConnectionId(): number;
  /** First sight of an exchange, and every change worth showing. `revision` has been counted up. */
  changed(exchange: Exchange): void;
  /**
   * Payload bytes of a body as they pass (framing left out, codings as they came); `piece` is only valid during the call.
   * False asks the engine to hold this body until `onDrain` calls back (setting `slowDisk: 'wait'`).
   */
  bodyPiece(exchange: Exchange, side: BodySide, piece: Uint8Array): boolean;
  /** A WebSocket message or server-sent event has passed, as part of a body. */
  message(exchange: Exchange, mark: MessageMark): void;
  /** Calls back once when bodies may go on. */
  onDrain(resume: () => void): void;
  /** The exchange's last change: its state is no longer `open`. */
  ended(exchange: Exchange): void;
}
