/** What can stand in a LiveList. */
export interface Listed {
  /** Its place; -1: in none. The list's own to write. */
  listedAt: number;
  stop(): void;
}

/** What is under way, of which much comes and goes. Not a Set: `SlotTable` says why. */
export class LiveList {
  readonly #items: Listed[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Listed): void {
    item.listedAt = this.#items.length;
    this.#items.push(item);
  }

  /** Of one that is in it. */
  remove(item: Listed): void {
    const last = this.#items.pop();
    if (last && last !== item) {
      this.#items[item.listedAt] = last;
      last.listedAt = item.listedAt;
    }
    item.listedAt = -1;
  }

  /** Stops each, also where that removes it. */
  stopAll(): void {
    for (const item of [...this.#items]) item.stop();
  }
}
