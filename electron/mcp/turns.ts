/** Runs functions one after another, in order. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `run` does, regardless of earlier ones. */
  take<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#last.then(run);
    this.#last = result.catch(() => null);
    return result;
  }
}
