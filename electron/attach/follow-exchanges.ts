import type { PayloadOf } from '../../shared/contract/events.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { PAGE_LIMIT } from '../../shared/contract/requests/exchange-requests.ts';
import { type ExchangeSummary, summaryOf } from '../../shared/model/exchange-summary.ts';

/** Ids of exchanges that were passed on and may come again in a later batch. Older ones no longer change. */
const REMEMBERED = 20_000;

/**
 * Follows the session that is being recorded, and passes on each exchange once, when it has ended. The feed may lose
 * batches while this side is slow: a gap in their sequence makes it read the rows again.
 */
export class FollowedExchanges {
  readonly #api: InspectorApi;
  readonly #onEnded: (exchange: ExchangeSummary) => void;
  readonly #passed = new Set<number>();
  /** Exchanges up to this id have been passed on or skipped, except those in `#open`. */
  #start = 0;
  readonly #open = new Set<number>();
  #session = '';
  #sequence = 0;
  /** One subscription or reading at a time; batches wait for it. */
  #work: Promise<void> = Promise.resolve();

  private constructor(api: InspectorApi, onEnded: (exchange: ExchangeSummary) => void) {
    this.#api = api;
    this.#onEnded = onEnded;
  }

  /**
   * Resolves, with a function that stops it, when every exchange that ends from now on is passed on. Rejects with an
   * `InspectorError`.
   */
  static async follow(api: InspectorApi, onEnded: (exchange: ExchangeSummary) => void): Promise<() => void> {
    const followed = new FollowedExchanges(api, onEnded);
    const stops = [
      api.on('feed.batch', (batch) => followed.#next(() => followed.#take(batch))),
      // A cleared session, or another file: everything in it is new.
      api.on('session.changed', () => followed.#next(() => followed.#subscribe(false))),
    ];
    await followed.#subscribe(true);
    return () => {
      for (const stop of stops) stop();
    };
  }

  #next(step: () => Promise<void> | void): void {
    // A request fails only if the connection does, whose end the caller sees.
    this.#work = this.#work.then(step).catch(() => undefined);
  }

  /** `skip`: exchanges that have ended already are not passed on. */
  async #subscribe(skip: boolean): Promise<void> {
    const { session, sequence } = await this.#api.request('feed.subscribe', {});
    this.#session = session.id;
    this.#sequence = sequence;
    this.#open.clear();
    this.#passed.clear();
    this.#start = 0;
    await this.#read(skip);
  }

  async #read(skip: boolean): Promise<void> {
    let after = Math.min(this.#start, ...[...this.#open].map((id) => id - 1));
    for (let more = true; more; ) {
      const input = { session: this.#session, after, limit: PAGE_LIMIT };
      const page = await this.#api.request('exchanges.page', input);
      for (const row of page.rows) {
        if (!skip || row.state === 'open') this.#see(row);
      }
      after = page.rows.at(-1)?.id ?? after;
      more = page.more;
    }
    this.#start = Math.max(this.#start, after);
  }

  async #take({ sessionId, sequence, rows }: PayloadOf<'feed.batch'>): Promise<void> {
    if (sessionId !== this.#session || sequence <= this.#sequence) return;
    const hasGap = sequence > this.#sequence + 1;
    this.#sequence = sequence;
    for (const row of rows) this.#see(summaryOf(row));
    if (hasGap) await this.#read(false);
  }

  #see(row: ExchangeSummary): void {
    if (this.#passed.has(row.id) || (row.id <= this.#start && !this.#open.has(row.id))) return;
    if (row.state === 'open') {
      this.#open.add(row.id);
      return;
    }
    this.#open.delete(row.id);
    this.#passed.add(row.id);
    this.#forgetOldest();
    this.#onEnded(row);
  }

  #forgetOldest(): void {
    const [oldest] = this.#passed;
    if (this.#passed.size <= REMEMBERED || oldest === undefined) return;
    this.#passed.delete(oldest);
    this.#start = Math.max(this.#start, oldest);
  }
}
