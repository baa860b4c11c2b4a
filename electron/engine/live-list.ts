/** An item that a LiveList can hold. */
export interface Listed {
  /** Its index in the list; -1: in no list. Only the list writes it. */
  listedAt: number;
  stop(): void;
}

/** The items in progress, which change often. Not a Set, for the reason given at `SlotTable`. */
export class LiveList {
  readonly #items: Listed[] = [];

  get size(): number {
    return this.#items.length;
  }

  add(item: Listed): void {
    item.listedAt = this.#items.length;
    this.#items.push(item);
  }

  /** Removes an item that is in the list. */
  remove(item: Listed): void {
    const last = this.#items.pop();
    if (last && last !== item) {
      this.#items[item.listedAt] = last;
      last.listedAt = item.listedAt;
    }
    item.listedAt = -1;
  }

  /** Stops each item. An item may remove itself meanwhile. */
  stopAll(): void {
    for (const item of [...this.#items]) item.stop();
  }
}
