/**
 * Which origins support extended CONNECT (RFC 8441, section 3), learned from their SETTINGS, and the callbacks waiting
 * for it.
 */
export class ExtendedConnect {
  readonly #known = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();

  /** `address`: `host:port`. */
  learn(address: string): void {
    this.#known.add(address);
    for (const tell of this.#waiting.get(address) ?? []) tell();
    this.#waiting.delete(address);
  }

  /**
   * Calls `tell` once: immediately if support is known, otherwise when it becomes known. Returns a function that stops
   * the wait.
   */
  when(address: string, tell: () => void): () => void {
    if (this.#known.has(address)) {
      tell();
      return () => {};
    }
    const waiting = this.#waiting.get(address) ?? new Set();
    this.#waiting.set(address, waiting);
    waiting.add(tell);
    return () => {
      waiting.delete(tell);
      if (waiting.size === 0 && this.#waiting.get(address) === waiting) this.#waiting.delete(address);
    };
  }
}
