/** Milliseconds of work at a time: half a frame, which leaves the other half to drawing. */
const SLICE = 8;

/** Calls `run` after pending input and frames. */
function afterOthers(run: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    run();
  };
  port2.postMessage(null);
}

/**
 * Long work in slices, one at a time: the window stays usable meanwhile. The first slice runs at once; for most
 * sessions, it is all of the work.
 */
export class Slices<T> {
  readonly #now: () => number;
  readonly #later: (run: () => void) => void;
  #work: Generator<void, T> | null = null;

  constructor(now = () => performance.now(), later = afterOthers) {
    this.#now = now;
    this.#later = later;
  }

  get running(): boolean {
    return this.#work !== null;
  }

  /** Begins this work in place of the current one. `done` is called with its result, unless it is replaced. */
  start(work: Generator<void, T>, done: (result: T) => void): void {
    this.#work = work;
    this.#go(work, done);
  }

  /** The work ends before its next slice, and its result is never used. */
  cancel(): void {
    this.#work = null;
  }

  #go(work: Generator<void, T>, done: (result: T) => void): void {
    if (this.#work !== work) return;
    const end = this.#now() + SLICE;
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) {
        this.#work = null;
        done(step.value);
        return;
      }
      if (this.#now() >= end) break;
    }
    this.#later(() => this.#go(work, done));
  }
}
