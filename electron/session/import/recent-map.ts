/**
 * A map of what was used lately. It holds at most twice `most` entries, and forgets the oldest half at once: a map from
 * which one entry is deleted for each new one has to look past all deleted ones.
 */
export class RecentMap<K, V> {
  readonly #most: number;
  #recent = new Map<K, V>();
  #before = new Map<K, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    const value = this.#recent.get(key);
    if (value !== undefined) return value;
    const older = this.#before.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.#recent.size >= this.#most) {
      this.#before = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(key, value);
  }
}
