import type { PayloadOf } from '../../shared/contract/events.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { SummaryRow } from '../../shared/model/exchange-summary.ts';
import { DrawingPace, LIST_SHARE } from '../state/drawing-pace.ts';
import type { ExchangeTable } from '../state/exchange-table.ts';
import type { HostClock } from '../state/host-clock.ts';
import { idOf, revisionOf } from '../state/rows/row-store.ts';
import { logProblem, NOTHING_SELECTED, type WindowStore } from '../state/window-state.ts';
import { NEWEST_ROWS } from './first-calls.ts';
import { type FirstRows, readRows } from './read-pages.ts';

type FeedBatch = PayloadOf<'feed.batch'>;

/**
 * Rows applied per frame, about 10 ms of CPU; the others wait for the next frame. A drawing takes 20 to 30 ms more: it
 * has a frame without rows, unless frames with rows follow one another for a third of a second.
 */
const [SLICE, SLICES] = [1000, 20];

/** Milliseconds before a subscription that failed is tried again. Doubles with each failure, up to the second. */
const RETRY = { first: 250, longest: 8000 } as const;

/**
 * Keeps the table equal to what the host has recorded. How it resolves the race between snapshot and live feed:
 * 1. Batches that arrive before the reply to the subscription are parked: their session is not known yet.
 * 2. Then pages are read while batches keep arriving. Rows are whole and carry a revision, and the table keeps the
 *    higher one: it does not matter whether a page or a batch delivers a row first.
 * 3. A gap in the sequence means lost batches: start again at 1. The rows already in the table stay.
 * A step that fails is not the end: the window starts again at 1 after a pause. Without that it would stay empty for
 * good, because no event tells it that the session can be read now.
 * Rows wait in a Map by id: however far the window falls behind, no more rows wait than there are exchanges.
 */
export class FeedSync {
  readonly #api: InspectorApi;
  readonly #table: ExchangeTable;
  readonly #store: WindowStore;
  readonly #clock: HostClock;
  readonly #nextFrame: (run: () => void) => void;
  /** Rows that arrived and are not in the table yet. */
  #waiting = new Map<number, SummaryRow>();
  /** Batches of step 1. */
  #parked: FeedBatch[] = [];
  /** Sequence number of the next batch; null: not subscribed. */
  #expected: number | null = null;
  /**
   * Number of the current run. A reply for an older run is ignored: the session or the connection changed meanwhile.
   */
  #run = 0;
  /** Runs that failed since the last one that did not. */
  #failures = 0;
  #scheduled = false;
  readonly #pace = new DrawingPace(LIST_SHARE);
  /** Everything that arrived has been drawn. */
  #caughtUp = false;
  /** Slices that were applied since the last drawing. */
  #undrawn = 0;

  constructor(
    api: InspectorApi,
    table: ExchangeTable,
    store: WindowStore,
    { clock, nextFrame }: { clock: HostClock; nextFrame: (run: () => void) => void },
  ) {
    this.#api = api;
    this.#table = table;
    this.#store = store;
    this.#clock = clock;
    this.#nextFrame = nextFrame;
  }

  /** For the window's whole life: nothing ends the subscriptions. */
  start(): void {
    this.#api.on('feed.batch', (batch) => this.#receive(batch));
    this.#api.on('session.changed', () => void this.#begin());
    this.#api.onConnection((connected) => {
      if (connected) void this.#begin();
      else this.#run += 1;
    });
  }

  /** Steps 1 and 2. A later run makes this one give up after its current request. */
  async #begin(): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    this.#expected = null;
    this.#parked = [];
    try {
      const { session, sequence, at, ...first } = await this.#api.request('feed.open', { rows: NEWEST_ROWS });
      if (run !== this.#run) return;
      this.#clock.heard(at);
      if (session.id !== this.#table.sessionId) this.#forget(session.id);
      this.#store.setState({ session });
      // The reply may have overtaken parked batches or the other way round: the first parked one sets the count.
      this.#expected = this.#parked[0]?.sequence ?? sequence + 1;
      for (const batch of this.#parked.splice(0)) this.#receive(batch);
      await this.#read(run, first);
    } catch (error) {
      if (run === this.#run) this.#retry(run, error instanceof Error ? error.message : 'Can’t open the feed.');
    }
  }

  /** Logs the first problem of several in a row: the others mostly have the same cause. */
  #retry(run: number, problem: string): void {
    if (this.#failures === 0) logProblem(this.#store, problem);
    const pause = Math.min(RETRY.longest, RETRY.first * 2 ** this.#failures);
    this.#failures += 1;
    setTimeout(() => run === this.#run && void this.#begin(), pause);
  }

  /** A run that was replaced must not report its rows as loaded. */
  async #read(run: number, first: FirstRows): Promise<void> {
    const isRead = await readRows(this.#api, this.#table, first, () => run === this.#run);
    if (!isRead) return;
    this.#failures = 0;
    this.#store.setState({ loaded: true });
  }

  /** Another session is recorded. What the window shows of an opened one stays. */
  #forget(sessionId: string): void {
    this.#waiting.clear();
    const { shown, compareWith } = this.#store.getState();
    if (compareWith?.session === this.#table.sessionId) this.#store.setState({ compareWith: null });
    this.#table.reset(sessionId);
    if (shown === null) this.#store.setState(NOTHING_SELECTED);
  }

  /** The host's time counts even in a batch that is then dropped. */
  #receive(batch: FeedBatch): void {
    this.#clock.heard(batch.at);
    if (this.#expected === null) {
      this.#parked.push(batch);
      return;
    }
    // A batch of the previous session that was already on its way.
    if (batch.sessionId !== this.#table.sessionId) return;
    const gap = batch.sequence > this.#expected;
    this.#expected = Math.max(this.#expected, batch.sequence + 1);
    this.#table.rush.add(batch.rows.length);
    this.#enqueue(batch.rows);
    if (gap) void this.#begin();
  }

  /** A row may arrive many times between two drawings: its highest revision is enough. */
  #enqueue(rows: readonly SummaryRow[]): void {
    for (const row of rows) {
      const known = this.#waiting.get(idOf(row));
      if (known === undefined || revisionOf(known) < revisionOf(row)) this.#waiting.set(idOf(row), row);
    }
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || (this.#waiting.size === 0 && this.#undrawn === 0)) return;
    this.#scheduled = true;
    // No more often than drawing is cheap; without a pause while rows are behind.
    const pause = this.#table.rush.on ? this.#pace.wait : this.#pace.calmWait;
    const wait = this.#caughtUp ? pause : 0;
    if (wait > 0) setTimeout(() => this.#nextFrame(() => this.#advance()), wait);
    else this.#nextFrame(() => this.#advance());
  }

  /** Applies a slice of the rows that wait, in the order in which they came, and draws it if it is not a whole one. */
  #advance(): void {
    this.#scheduled = false;
    const slice: SummaryRow[] = [];
    for (const [id, row] of this.#waiting) {
      if (slice.length === SLICE) break;
      slice.push(row);
      this.#waiting.delete(id);
    }
    if (slice.length === SLICE && this.#undrawn < SLICES) {
      this.#table.add(slice);
      this.#undrawn += 1;
    } else {
      this.#undrawn = 0;
      this.#pace.draw(() => this.#table.apply(slice));
    }
    this.#caughtUp = this.#waiting.size === 0 && this.#undrawn === 0;
    this.#schedule();
  }
}
