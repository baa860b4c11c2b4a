import { addressOf, type Origin } from './origin.ts';

/** The protocol that upstream chose from the offered ALPN list: later tunnels to the origin do not wait for it. */
export class ChosenAlpn {
  readonly #chosen = new Map<string, string | null>();
  readonly #met = new Set<string>();

  /** Null: upstream chose none. */
  get(origin: Origin): string | null | undefined {
    return this.#chosen.get(origin.key);
  }

  set(origin: Origin, chosen: string | null): void {
    this.#chosen.set(origin.key, chosen);
    this.#met.add(addressOf(origin));
  }

  /** Whether a protocol list was ever offered to this target. */
  hasMet(target: { host: string; port: number }): boolean {
    return this.#met.has(addressOf(target));
  }

  /** The next tunnel to the origin opens its connection before the client speaks, as its server may speak first. */
  forget(origin: Origin): void {
    this.#chosen.delete(origin.key);
  }

  clear(): void {
    this.#chosen.clear();
    this.#met.clear();
  }
}
