import type { FeedBatch } from '../../shared/contract/events.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import { summaryRow } from '../../shared/model/exchange-summary.ts';
import { Rush } from '../../shared/model/rush.ts';
import { SlotTable } from '../engine/slot-table.ts';

/** Minimum time between two batches, milliseconds: one per frame. */
const FRAME = 16;
/**
 * The same under load, milliseconds. Users can't read sixty new rows per second. Drawing them takes CPU time from the
 * page that is loading, and an exchange that ends within the interval makes one row instead of two.
 */
const BUSY_FRAME = 200;
/**
 * Rows per batch: about 3 ms to create, clone and apply, and still 60,000 per second. The rest follows in later frames.
 */
const BATCH_ROWS = 1000;

export interface FeedOptions {
  sessionId: string;
  send: (batch: FeedBatch) => void;
  /** Rows per batch. Default: 1,000. */
  batchRows?: number;
}

/**
 * The live stream of changes for subscribers. While nobody subscribes, a change costs one comparison. An exchange that
 * changes often within a frame produces one row: the latest.
 *
 * The race between snapshot and live feed: a window that starts must end up with every row in its latest version,
 * although another thread reads the pages from a file that lags behind while the feed runs. It needs no lock:
 * 1. The window subscribes first. From then on, the feed delivers every change.
 * 2. The host then flushes the recorder, which puts every earlier change in the file.
 * 3. The window reads pages. Each change is now in the feed, in a page, or in both; never in neither.
 * Both carry whole rows with a revision, and the window keeps the higher one. An old page after a new batch, a
 * duplicate row, and a batch that was built before the subscription and sent after it are therefore harmless.
 *
 * `sequence` increases by one with each batch, for all subscribers together. A window that sees a gap restarts at step
 * 1. Rows of a cleared session carry its old id, and a window drops them.
 */
export class Feed {
  readonly #send: (batch: FeedBatch) => void;
  readonly #batchRows: number;
  /**
   * Exchanges changed since the last batch. The engine keeps changing them; rows are therefore created as late as
   * possible.
   */
  readonly #pending = new SlotTable<Exchange>();
  /** Rows of ended exchanges: JSON of one `SummaryRow` each. */
  #ended: string[] = [];
  #sessionId: string;
  #sequence = 0;
  #wanted = false;
  readonly #rush = new Rush(() => performance.now());
  #timer: NodeJS.Timeout | undefined;

  constructor({ sessionId, send, batchRows = BATCH_ROWS }: FeedOptions) {
    this.#sessionId = sessionId;
    this.#send = send;
    this.#batchRows = batchRows;
  }

  /** The number of the last batch sent; 0 if none was. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Whether there are subscribers. Setting it to false discards unsent changes. */
  set wanted(wanted: boolean) {
    this.#wanted = wanted;
    if (!wanted) this.#forget();
  }

  /** For the recorder's `onTouched`. */
  touched(exchange: Exchange): void {
    if (!this.#wanted) return;
    this.#pending.set(exchange);
    this.#schedule();
  }

  /** For the recorder's `onEnded`. */
  ended(exchange: Exchange, row: string): void {
    if (!this.#wanted) return;
    this.#pending.delete(exchange.id);
    this.#ended.push(row);
    this.#schedule();
  }

  /** Starts a new session: unsent rows of the previous one are dropped. */
  reset(sessionId: string): void {
    this.#sessionId = sessionId;
    this.#forget();
  }

  #forget(): void {
    this.#pending.clear();
    this.#ended = [];
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #schedule(wait?: number): void {
    this.#timer ??= setTimeout(() => this.#sendBatch(), wait ?? (this.#rush.on ? BUSY_FRAME : FRAME));
  }

  #sendBatch(): void {
    this.#timer = undefined;
    const rows = this.#ended.splice(0, this.#batchRows);
    for (const exchange of this.#pending.take(this.#batchRows - rows.length))
      rows.push(JSON.stringify(summaryRow(exchange)));
    if (rows.length === 0) return;
    const more = this.#pending.size > 0 || this.#ended.length > 0;
    this.#rush.add(rows.length);
    if (more) this.#schedule(FRAME);
    this.#sequence += 1;
    this.#send({
      sessionId: this.#sessionId,
      sequence: this.#sequence,
      at: Date.now(),
      rows: `[${rows.join(',')}]`,
    });
  }
}
