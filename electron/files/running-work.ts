import { roundtripError } from '../failures/errors.ts';

/** How long a frozen disk may delay the host's end. Milliseconds. */
const LONGEST = 10_000;

/** Work that leaves half a file or a browser behind if its process ends: it is cancelled and waited for instead. */
export class RunningWork {
  readonly #running = new Map<Promise<unknown>, AbortController>();
  #hasEnded = false;

  /** Nothing begins any more. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Runs `work` with a signal that aborts when `signal` does, or at `end`. Rejects as `work` does, or with
   * `engine.stopped` after `end`.
   */
  async run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#hasEnded) throw roundtripError('engine.stopped', {});
    const cancelling = new AbortController();
    const cancel = () => cancelling.abort();
    signal.addEventListener('abort', cancel);
    if (signal.aborted) cancel();
    const running = work(cancelling.signal);
    this.#running.set(running, cancelling);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Cancels what runs. Resolves when all of it has removed what it left half done, or can't. Never rejects. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    for (const cancelling of this.#running.values()) cancelling.abort();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, LONGEST);
    });
    await Promise.race([Promise.allSettled(this.#running.keys()), late]);
    clearTimeout(timer);
  }
}
