import type { FeedBatch } from '../../shared/contract/events.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import { Rush } from '../../shared/model/rush.ts';
import { summaryRow } from '../../shared/model/summary-row.ts';
import { SlotTable } from '../engine/slot-table.ts';

/** One batch a frame at most; milliseconds. */
const FRAME = 16;
/**
 * The same in a rush; milliseconds. Nobody reads sixty new rows a second one by one, but drawing them takes cores from the page
 * that is loading, and an exchange that ends meanwhile makes one row, not two.
 */
const BUSY_FRAME = 200;
/** Rows of a batch: some 3 ms to make, clone and apply, and still 60,000 a second; the rest goes with the next frames. */
const BATCH_ROWS = 1000;

export interface FeedOptions {
  sessionId: string;
  send: (batch: FeedBatch) => void;
  /** Rows of one batch; 1,000 unless told. */
  batchRows?: number;
}

/**
 * The live stream of changes to whoever watches. It lives beside the recorder and hears of each change; while nobody
 * watches that costs one comparison. An exchange that changes often within a frame makes one row: the latest.
 *
 * The race of snapshot and live feed. A window that starts must end up with every row in its latest version, though
 * pages are read from a file that is behind, on another thread, while the feed runs. It needs no lock:
 * 1. The window subscribes first. From here on, every change reaches it by the feed.
 * 2. The host then flushes the recorder, so that every change from before is in the file.
 * 3. The window reads pages. So a change is in the feed, in a page, or in both; never in neither.
 * Both carry rows that are whole and have a revision, and the window keeps the higher one: an old page after a new batch,
 * a row twice, and a batch that was built before the subscription and sent after it all do no harm.
 *
 * `sequence` counts up by one with each batch, for all subscribers together. A window that sees a gap starts again at 1.
 * Rows of a session that was cleared carry its old id, and a window drops them.
 */
export class Feed {
  readonly #send: (batch: FeedBatch) => void;
  readonly #batchRows: number;
  /** Changed since they were last sent; the engine goes on changing them, so that a row is made as late as may be. */
  readonly #pending = new SlotTable<Exchange>();
  /** Of those that have ended: JSON of a `SummaryRow` each. */
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

  /** Of the last batch sent; 0: none yet. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Whether anybody watches. False: what was not sent yet is forgotten. */
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

  /** The session is another one: rows of the one before are not sent any more. */
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
