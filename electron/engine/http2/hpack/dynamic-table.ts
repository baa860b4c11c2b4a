/** Overhead of an entry beyond its name and value, bytes (RFC 7541, section 4.1; RFC 9113, section 6.5.2). */
export const ENTRY_OVERHEAD = 32;

/** Table size until a SETTINGS frame or a size update changes it, bytes (RFC 9113, section 6.5.2). */
export const DEFAULT_TABLE_SIZE = 4096;

/**
 * The dynamic table (RFC 7541, section 2.3.2): a ring of entries that evicts the oldest first. An entry's number is the
 * count of entries inserted before it and never changes. Index 62 is `inserted - 1`.
 */
export class DynamicTable {
  #names: string[] = new Array(64).fill('');
  #values: string[] = new Array(64).fill('');
  #mask = 63;
  #maxSize: number;
  #size = 0;
  /** Entries in the table. */
  count = 0;
  /** Entries inserted since the connection began. */
  inserted = 0;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get maxSize(): number {
    return this.#maxSize;
  }

  /** Evicts entries that no longer fit (RFC 7541, section 4.3). */
  set maxSize(bytes: number) {
    this.#maxSize = bytes;
    this.#shrinkTo(bytes);
  }

  name(entry: number): string {
    return this.#names[entry & this.#mask] as string;
  }

  value(entry: number): string {
    return this.#values[entry & this.#mask] as string;
  }

  /**
   * Inserts a field of `size` bytes, including overhead. A field larger than the table empties it, which is not an
   * error (RFC 7541, section 4.4). Returns whether the field was inserted.
   */
  insert(name: string, value: string, size: number): boolean {
    if (this.#size + size > this.#maxSize) {
      this.#shrinkTo(Math.max(0, this.#maxSize - size));
      if (size > this.#maxSize) return false;
    }
    if (this.count > this.#mask) this.#grow();
    const slot = this.inserted & this.#mask;
    this.#names[slot] = name;
    this.#values[slot] = value;
    this.#size += size;
    this.count++;
    this.inserted++;
    return true;
  }

  /** Called for each evicted entry, oldest first. */
  protected dropped(_name: string, _value: string, _entry: number): void {}

  #shrinkTo(bytes: number): void {
    while (this.#size > bytes) {
      const entry = this.inserted - this.count;
      const slot = entry & this.#mask;
      const name = this.#names[slot] as string;
      const value = this.#values[slot] as string;
      this.#names[slot] = '';
      this.#values[slot] = '';
      this.#size -= ENTRY_OVERHEAD + name.length + value.length;
      this.count--;
      this.dropped(name, value, entry);
    }
  }

  #grow(): void {
    const mask = this.#mask * 2 + 1;
    const names: string[] = new Array(mask + 1).fill('');
    const values: string[] = new Array(mask + 1).fill('');
    for (let entry = this.inserted - this.count; entry < this.inserted; entry++) {
      names[entry & mask] = this.name(entry);
      values[entry & mask] = this.value(entry);
    }
    this.#names = names;
    this.#values = values;
    this.#mask = mask;
  }
}
