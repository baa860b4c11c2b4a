/** A power of two, above what is open at once on a busy engine and above the streams that browsers open. */
const SLOTS = 512;

/**
 * What is open, by its id, where ids count up and most live shortly. Not a Map or a Set: one that is added to and deleted
 * from all the time makes new tables all the time, and those of them that the garbage collector has called old keep alive
 * what they held, until it looks through the whole heap. A slot that is emptied holds nothing.
 */
export class SlotTable<T extends { readonly id: number }> {
  readonly #slots = new Array<T | undefined>(SLOTS).fill(undefined);
  /** Those whose slot another one has. */
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

  /** Adds one, or takes the place of the one with its id. */
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

  /** False where none has that id. */
  delete(id: number): boolean {
    const slot = id & (SLOTS - 1);
    if (this.#slots[slot]?.id === id) this.#slots[slot] = undefined;
    else if (this.#beside.size === 0 || !this.#beside.delete(id)) return false;
    this.#size -= 1;
    return true;
  }

  /** A list of its own, lowest id first. */
  all(): T[] {
    const items = [...this.#slots.filter((item) => item !== undefined), ...this.#beside.values()];
    return items.sort((one, other) => one.id - other.id);
  }

  /** Takes out those with the lowest ids, `count` at most. */
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
