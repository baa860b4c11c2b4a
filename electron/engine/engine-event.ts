import type { RecordedSide } from '../../shared/model/body-side.ts';
import type { ConnectionInfo } from '../../shared/model/connection.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { MessageMark } from '../../shared/model/message-mark.ts';

/**
 * Receives the engine's events about exchanges, as calls instead of event objects because they are on the hot path. The
 * engine keeps one `Exchange` object per exchange and changes it in place: an observer must copy what it keeps.
 */
export interface ExchangeObserver {
  /** False while nothing is recorded: the engine then makes no calls for exchanges that begin. */
  readonly recording: boolean;
  /** The next exchange's id, unique within the session. */
  nextExchangeId(): number;
  /** The next connection's id, unique within the session for connections of both sides. */
  nextConnectionId(): number;
  /** A connection ended; `connection.end` has the reason. It may have carried nothing. */
  connectionEnded(side: 'client' | 'upstream', connection: ConnectionInfo): void;
  /** Called for a new exchange and for every visible change. `revision` has already been incremented. */
  changed(exchange: Exchange): void;
  /**
   * Payload bytes of a body as they pass (without framing, with codings); `piece` is valid only during the call.
   * Returning false asks the engine to pause this body until `onDrain` calls back: its messages fill their queue, or
   * the disk is behind with the setting `slowDisk: 'wait'`.
   */
  bodyPiece(exchange: Exchange, side: RecordedSide, piece: Uint8Array): boolean;
  /** A WebSocket message or server-sent event passed as part of a body. */
  message(exchange: Exchange, mark: MessageMark): void;
  /** Calls `resume` once, when the exchange's bodies may continue. */
  onDrain(exchange: Exchange, resume: () => void): void;
  /** The exchange's last change: its state is no longer `open`. */
  ended(exchange: Exchange): void;
}
