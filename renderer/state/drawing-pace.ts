/** What drawing may take of the time while much happens, and the limits of the pause that follows from it, in milliseconds. */
export interface DrawingShare {
  share: number;
  shortest: number;
  longest: number;
}

/** A list that stood still for longer would look as if nothing came. */
export const LIST_SHARE: DrawingShare = { share: 0.025, shortest: 0, longest: 1500 };
/** A chart need not be as live as a list. Its cost is measured by frames, what is left of them included. */
export const CHART_SHARE: DrawingShare = { share: 0.01, shortest: 1000, longest: 5000 };

/** What drawing may take of the time while little happens: each step of an exchange is worth seeing, but not in a frame of its own. */
const CALM_SHARE = 0.1;

/** Calls back once the frame that is being made now has been drawn, as far as this thread draws it. */
function afterDrawing(done: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    done();
  };
  port2.postMessage(null);
}

/** The same for what changes once more in the next frame, as charts do: they learn from the first drawing what size things have. */
export function afterNextFrame(done: () => void): void {
  requestAnimationFrame(() => afterDrawing(done));
}

/**
 * How soon what changes all the time is worth drawing again: drawing takes cores from the page that is loading. A machine
 * that draws the list in 2 ms does it 12 times a second; one that takes 30, or is busy with other things, once in 1.2 s.
 */
export class DrawingPace {
  readonly #of: DrawingShare;
  readonly #now: () => number;
  readonly #afterDrawing: (done: () => void) => void;
  /** The end of the last drawing, or while it lasts its beginning. */
  #drawn = Number.NEGATIVE_INFINITY;
  #lasts = false;
  /** Milliseconds of the last one that is over. */
  #cost = 0;

  constructor(of: DrawingShare, now = () => performance.now(), after = afterDrawing) {
    this.#of = of;
    this.#now = now;
    this.#afterDrawing = after;
  }

  /** Milliseconds until the next drawing; 0: it may be now. */
  get wait(): number {
    const { share, shortest, longest } = this.#of;
    // What the one that lasts will have cost is not known: it may be much.
    const pause = this.#lasts ? longest : Math.min(this.#cost / share, longest);
    return this.#left(Math.max(shortest, pause));
  }

  /** The same while little happens. */
  get calmWait(): number {
    return this.#left(Math.min(this.#cost / CALM_SHARE, this.#of.longest));
  }

  #left(pause: number): number {
    return Math.max(0, this.#drawn + pause - this.#now());
  }

  /** Changes what is drawn, and sees what that costs. */
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
