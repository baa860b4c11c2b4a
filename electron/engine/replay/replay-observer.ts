import type { RecordedSide } from '../../../shared/model/body-side.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import type { ReplayOf } from '../../../shared/model/replay/replay-of.ts';
import type { ExchangeObserver } from '../engine-event.ts';

/** Forwards one exchange's events, links the exchange to its original, and reports its end. */
export class ReplayObserver implements ExchangeObserver {
  /** A request that the user sends is recorded, even while traffic is not. */
  readonly recording = true;
  /** Known once the exchange has begun. */
  exchangeId = 0;
  readonly #observer: ExchangeObserver;
  readonly #replayOf: ReplayOf | null;
  readonly #onEnded: (exchange: Exchange) => void;

  constructor(observer: ExchangeObserver, replayOf: ReplayOf | null, onEnded: (exchange: Exchange) => void) {
    this.#observer = observer;
    this.#replayOf = replayOf;
    this.#onEnded = onEnded;
  }

  nextExchangeId(): number {
    this.exchangeId = this.#observer.nextExchangeId();
    return this.exchangeId;
  }

  nextConnectionId(): number {
    return this.#observer.nextConnectionId();
  }

  connectionEnded(side: 'client' | 'upstream', connection: ConnectionInfo): void {
    this.#observer.connectionEnded(side, connection);
  }

  changed(exchange: Exchange): void {
    exchange.replayOf = this.#replayOf;
    this.#observer.changed(exchange);
  }

  bodyPiece(exchange: Exchange, side: RecordedSide, piece: Uint8Array): boolean {
    return this.#observer.bodyPiece(exchange, side, piece);
  }

  message(exchange: Exchange, mark: MessageMark): void {
    this.#observer.message(exchange, mark);
  }

  onDrain(exchange: Exchange, resume: () => void): void {
    this.#observer.onDrain(exchange, resume);
  }

  ended(exchange: Exchange): void {
    exchange.replayOf = this.#replayOf;
    this.#observer.ended(exchange);
    this.#onEnded(exchange);
  }
}
