/** What can stand in a LiveList. */
export interface Listed {
  /** Its place; -1: in none. The list's own to write. */
  listedAt: number;
  stop(): void;
}

/**
 * What is under way, of which much comes and goes. Not a Set: one that is added to and deleted from all the time makes new
 * tables all the time, and those of them that the garbage collector has called old keep alive what they held, exchanges and
 * all, until it looks through the whole heap.
 */
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
