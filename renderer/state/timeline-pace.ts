import { CHART_SHARE, type DrawingPace } from './drawing-pace.ts';
import type { ExchangeTable } from './exchange-table.ts';
import type { TimelineBar } from './timeline-buckets.ts';

/** By then a page that begins to load has become a rush of rows, or one of its documents is all that came; milliseconds. */
const FIRST_LOOK = 1000;
/** Then until a rush is over. */
const LOOK = 400;

/**
 * When the session's bars are worth drawing: the first of all at once, others within a second, in a rush of rows when it is over,
 * and in one that does not end every five seconds. A chart takes as long to draw as the list does four times, and used
 * to be drawn as a page began to load, when it has least to show. A session that was cleared leaves none standing.
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

  /** Answers with what ends it. */
  start(): () => void {
    this.#drawSoon();
    const end = this.#table.changes.subscribe(() => this.#drawSoon());
    return () => {
      end();
      clearTimeout(this.#timer);
    };
  }

  get #canWait(): boolean {
    return this.#shown > 0 && this.#table.size > 0;
  }

  #drawSoon(): void {
    if (this.#timer !== undefined && this.#canWait) return;
    clearTimeout(this.#timer);
    this.#changedAt = performance.now();
    this.#timer = setTimeout(() => this.#look(), this.#canWait ? Math.max(FIRST_LOOK, this.#pace.wait) : 0);
  }

  #look(): void {
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
