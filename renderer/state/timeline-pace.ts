import { CHART_SHARE, type DrawingPace } from './drawing-pace.ts';
import type { ExchangeTable } from './exchange-table.ts';
import type { TimelineBar } from './timeline-buckets.ts';

/** Milliseconds until the first check: by then a loading page has become a rush, or was only a single document. */
const FIRST_LOOK = 1000;
/** Milliseconds between further checks until the rush is over. */
const LOOK = 400;

/**
 * Decides when to draw the timeline: the first bars at once, later ones within a second, during a rush when it is over
 * or after five seconds. Drawing takes CPU from the page that is loading, and the start of a page load has the least to
 * show. A cleared session is drawn at once: no old bars remain. While a session is read, the first bars wait for its
 * last row, up to a second: its rows come first.
 */
export class TimelinePace {
  readonly #table: ExchangeTable;
  readonly #pace: DrawingPace;
  readonly #show: (bars: TimelineBar[]) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #changedAt = 0;
  #shown = 0;

  constructor(table: ExchangeTable, pace: DrawingPace, show: (bars: TimelineBar[]) => void) {
    this.#table = table;
    this.#pace = pace;
    this.#show = show;
  }

  /** Returns a function that stops it. */
  start(): () => void {
    this.#drawSoon();
    const end = this.#table.changes.subscribe(() => this.#drawSoon());
    return () => {
      end();
      clearTimeout(this.#timer);
    };
  }

  /** Whether the chart may lag behind: not before the first bars, and not after a clear. */
  get #canWait(): boolean {
    return this.#shown > 0 && this.#table.size > 0;
  }

  /** Whether nothing is drawn yet, and more rows of the session are about to arrive. */
  get #isReading(): boolean {
    return this.#shown === 0 && this.#table.size > 0 && !this.#table.complete;
  }

  /** One timer at a time, unless it can't wait: then the running one is replaced by one that ends at once. */
  #drawSoon(): void {
    const waits = this.#canWait || this.#isReading;
    if (this.#timer !== undefined && waits) return;
    clearTimeout(this.#timer);
    this.#changedAt = performance.now();
    this.#timer = setTimeout(() => this.#look(), waits ? Math.max(FIRST_LOOK, this.#pace.wait) : 0);
  }

  #look(): void {
    // A rush that never ends must not hide the chart: it is drawn after `CHART_SHARE.longest`.
    const waited = performance.now() - this.#changedAt;
    if (this.#canWait && this.#table.rush.on && waited < CHART_SHARE.longest) {
      this.#timer = setTimeout(() => this.#look(), LOOK);
      return;
    }
    this.#timer = undefined;
    const bars = this.#table.timeline.bars();
    this.#shown = bars.length;
    this.#pace.draw(() => this.#show(bars));
  }
}
