import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Attempt, Exchange } from '../../../shared/model/exchange.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { ConnectionError } from '../upstream/connect/connection-error.ts';
import type { FailedOpening } from '../upstream/connect/failed-opening.ts';

function millisecondsOf(value: number): number {
  return Math.round(Math.max(value, 0) * 1000) / 1000;
}

/** Records the attempts of one exchange. Times are `performance.now()`, milliseconds. */
export class Attempts {
  readonly #exchange: Exchange;
  readonly #headAt: number;
  #current: Attempt | null = null;
  #startedAt = -1;

  constructor(exchange: Exchange, headAt: number) {
    this.#exchange = exchange;
    this.#headAt = headAt;
  }

  /** Attempts to connect that failed, each followed by another. */
  connectingFailed(failed: readonly FailedOpening[]): void {
    for (const each of failed) {
      this.#exchange.attempts.push({
        startedAfter: millisecondsOf(each.startedAt - this.#headAt),
        duration: millisecondsOf(each.endedAt - each.startedAt),
        connection: null,
        failure: each.failure,
        retryReason: 'connecting-failed',
      });
    }
  }

  /** No connection could be opened. `asked`: when it was requested. */
  unopened(error: ConnectionError, asked: number): void {
    this.connectingFailed(error.earlier);
    this.begin(Math.max(error.startedAt, asked), null);
    this.end(error.failure, null);
  }

  begin(at: number, connection: ConnectionInfo | null): void {
    this.#startedAt = at;
    const startedAfter = millisecondsOf(at - this.#headAt);
    this.#current = { startedAfter, duration: 0, connection, failure: null, retryReason: null };
    // Assigned as a literal: pushing to an empty array reserves room for seventeen elements.
    if (this.#exchange.attempts.length === 0) this.#exchange.attempts = [this.#current];
    else this.#exchange.attempts.push(this.#current);
  }

  end(about: Failure | null, retryReason: string | null): void {
    if (!this.#current) return;
    this.#current.duration = millisecondsOf(performance.now() - this.#startedAt);
    this.#current.failure = about;
    this.#current.retryReason = retryReason;
    this.#current = null;
  }
}
