import { roundtripError } from '../../failures/errors.ts';

/**
 * Runs what begins and ends the engine's lives one after the other: two at once would leave a thread, or an open port, that
 * nobody knows of.
 */
export class LifecycleQueue {
  readonly #ending = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  /** `signal` tells an operation to make haste: the end was asked for. Rejects with `engine.stopped` once it was. */
  run<T>(operation: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#ending;
    return this.#append(() => {
      if (signal.aborted) throw roundtripError('engine.stopped', {});
      return operation(signal);
    });
  }

  /** The last operation: those that wait before it are not begun any more. Again: runs once more. */
  end(operation: () => Promise<void>): Promise<void> {
    this.#ending.abort();
    return this.#append(operation);
  }

  #append<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#last.then(operation);
    this.#last = result.catch(() => null);
    return result;
  }
}
