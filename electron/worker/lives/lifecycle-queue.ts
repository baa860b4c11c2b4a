import { roundtripError } from '../../failures/errors.ts';

/**
 * Runs the operations that start and stop the engine one after the other: two at once could leak a thread or an open
 * port.
 */
export class LifecycleQueue {
  readonly #ending = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  /** `signal` tells an operation to hurry because the end was requested. Rejects with `engine.stopped` after that. */
  run<T>(operation: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#ending;
    return this.#append(() => {
      if (signal.aborted) throw roundtripError('engine.stopped', {});
      return operation(signal);
    });
  }

  /** Runs the last operation; those still queued are dropped. Calling it again runs it again. */
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
