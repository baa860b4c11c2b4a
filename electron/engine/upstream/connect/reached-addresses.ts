/** Sessions rarely connect to more addresses than this. */
const ADDRESSES_KEPT = 10_000;

/**
 * The addresses that accepted a connection in this session. A later refusal there probably means that the server is
 * restarting.
 */
export class ReachedAddresses {
  readonly #reached = new Set<string>();

  /** `address`: `host:port`. */
  add(address: string): void {
    if (this.#reached.has(address)) return;
    this.#reached.add(address);
    if (this.#reached.size <= ADDRESSES_KEPT) return;
    for (const oldest of this.#reached) {
      this.#reached.delete(oldest);
      return;
    }
  }

  has(address: string): boolean {
    return this.#reached.has(address);
  }
}
