/** The share of time that drawing may take under load, and the limits of the resulting pause in milliseconds. */
export interface DrawingShare {
  /** A fraction of all time, from 0 to 1. */
  share: number;
  shortest: number;
  longest: number;
}

/** A list that pauses longer than `longest` would look as if no rows arrived. */
export const LIST_SHARE: DrawingShare = { share: 0.025, shortest: 0, longest: 1500 };
/** A chart may lag behind the list. */
export const CHART_SHARE: DrawingShare = { share: 0.01, shortest: 1000, longest: 5000 };

/** The share under light load: every step of an exchange should be visible, but not each in a separate frame. */
const CALM_SHARE = 0.1;

/** Calls `done` once this thread's part of drawing the current frame is over. */
function afterDrawing(done: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    done();
  };
  port2.postMessage(null);
}

/**
 * Decides how soon to draw again, from what the last drawing cost: drawing takes CPU from the page that is loading. A
 * machine that draws the list in 2 ms draws it 12 times a second; one that takes 30 ms, or is busy, once in 1.2 s.
 */
export class DrawingPace {
  readonly #of: DrawingShare;
  readonly #now: () => number;
  readonly #afterDrawing: (done: () => void) => void;
  /** When the last drawing ended, or began if it is in progress. */
  #drawn = Number.NEGATIVE_INFINITY;
  #lasts = false;
  /** Duration of the last finished drawing, milliseconds. */
  #cost = 0;

  /** The defaults are the browser's; tests bring a clock and frames that they control. */
  constructor(of: DrawingShare, now = () => performance.now(), after = afterDrawing) {
    this.#of = of;
    this.#now = now;
    this.#afterDrawing = after;
  }

  /** Milliseconds to wait before drawing under load; 0: draw now. */
  get wait(): number {
    const { share, shortest, longest } = this.#of;
    // The cost of a drawing in progress is unknown, and may be high.
    const pause = this.#lasts ? longest : Math.min(this.#cost / share, longest);
    return this.#left(Math.max(shortest, pause));
  }

  /** Milliseconds to wait under light load. A drawing in progress counts with the cost of the one before. */
  get calmWait(): number {
    return this.#left(Math.min(this.#cost / CALM_SHARE, this.#of.longest));
  }

  #left(pause: number): number {
    return Math.max(0, this.#drawn + pause - this.#now());
  }

  /** Runs `change`, which must update the page synchronously, and measures the cost of drawing it. */
  draw(change: () => void): void {
    const began = this.#now();
    change();
    this.#drawn = began;
    this.#lasts = true;
    this.#afterDrawing(() => {
      this.#drawn = this.#now();
      this.#lasts = false;
      this.#cost = this.#drawn - began;
    });
  }
}
