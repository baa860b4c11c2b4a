/** A power of two, larger than the number of open items on a busy engine and of the streams that browsers open. */
const SLOTS = 512;

/**
 * Holds open items by id, where ids count up and most items are short-lived. Not a Map or a Set: constant insertion and
 * deletion makes them allocate new tables all the time. Old tables that the garbage collector has promoted keep their
 * former contents alive until a full collection. An emptied slot holds nothing.
 */
export class SlotTable<T extends { readonly id: number }> {
  readonly #slots = new Array<T | undefined>(SLOTS).fill(undefined);
  /** Items whose slot is taken by another item. */
  readonly #beside = new Map<number, T>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: number): T | undefined {
    const item = this.#slots[id & (SLOTS - 1)];
    if (item?.id === id) return item;
    return this.#beside.size > 0 ? this.#beside.get(id) : undefined;
  }

  /** Adds an item, or replaces the item with its id. */
  set(item: T): void {
    const slot = item.id & (SLOTS - 1);
    const there = this.#slots[slot];
    if (there?.id === item.id) {
      this.#slots[slot] = item;
      return;
    }
    if (this.#beside.has(item.id)) {
      this.#beside.set(item.id, item);
      return;
    }
    this.#size += 1;
    if (there) this.#beside.set(item.id, item);
    else this.#slots[slot] = item;
  }

  /** Returns false if no item has that id. */
  delete(id: number): boolean {
    const slot = id & (SLOTS - 1);
    if (this.#slots[slot]?.id === id) this.#slots[slot] = undefined;
    else if (this.#beside.size === 0 || !this.#beside.delete(id)) return false;
    this.#size -= 1;
    return true;
  }

  /** A new array, lowest id first. */
  all(): T[] {
    const items = [...this.#slots.filter((item) => item !== undefined), ...this.#beside.values()];
    return items.sort((one, other) => one.id - other.id);
  }

  /** Removes and returns the items with the lowest ids, at most `count`. */
  take(count: number): T[] {
    if (this.#size === 0) return [];
    const taken = this.all().slice(0, count);
    for (const item of taken) this.delete(item.id);
    return taken;
  }

  clear(): void {
    this.#slots.fill(undefined);
    this.#beside.clear();
    this.#size = 0;
  }
}
