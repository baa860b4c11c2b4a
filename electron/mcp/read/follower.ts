import type { InspectorApi } from '../../../shared/contract/inspector-api.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { FollowedExchanges } from '../../attach/follow-exchanges.ts';

type Listener = (exchange: ExchangeSummary) => void;

/** Follows the recorded session from the first wait on, with one subscription for all waits of an agent. */
export class Follower {
  readonly #api: InspectorApi;
  readonly #listeners = new Set<Listener>();
  #following: Promise<() => void> | null = null;

  constructor(api: InspectorApi) {
    this.#api = api;
    // The followed session is gone; the next wait starts from the beginning.
    api.onConnection((connected) => connected || this.close());
  }

  /** Resolves, with a function that stops it, once ended exchanges are passed on. */
  async listen(listener: Listener): Promise<() => void> {
    this.#listeners.add(listener);
    this.#following ??= FollowedExchanges.follow(this.#api, (exchange) => {
      for (const one of this.#listeners) one(exchange);
    });
    try {
      await this.#following;
    } catch (error) {
      this.#listeners.delete(listener);
      this.#following = null;
      throw error;
    }
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    void this.#following?.then(
      (stop) => stop(),
      () => undefined,
    );
    this.#following = null;
  }
}
