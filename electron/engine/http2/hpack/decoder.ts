import { DEFAULT_TABLE_SIZE, DynamicTable, ENTRY_OVERHEAD } from './dynamic-table.ts';
import { HpackError } from './hpack-error.ts';
import { LiteralReader } from './literal-reader.ts';
import { STATIC_ENTRIES, STATIC_NAMES, STATIC_VALUES } from './static-table.ts';

/**
 * Decodes the header blocks of one direction of a connection (RFC 7541), in order. After an HpackError the table is out
 * of sync with the peer's, and the connection has to end (RFC 9113, section 4.3).
 */
export class HpackDecoder {
  /** The last block exceeded the caller's limits. */
  overflow = false;
  /** Names of the collected fields marked "never indexed" (RFC 7541, section 6.2.3); null if there were none. */
  neverIndexed: string[] | null = null;
  readonly #announced: number;
  readonly #table: DynamicTable;
  readonly #literals = new LiteralReader();
  /** The last field. An object for each would cost more than decoding it. */
  #name = '';
  #value = '';
  #size = 0;

  /**
   * `maxTableSize`: the SETTINGS_HEADER_TABLE_SIZE we announced, bytes. At least 4096, which the peer may use until it
   * has read our SETTINGS.
   */
  constructor(maxTableSize: number) {
    this.#announced = maxTableSize;
    this.#table = new DynamicTable(Math.min(maxTableSize, DEFAULT_TABLE_SIZE));
  }

  /**
   * Decodes the header block [start, end) of `block`. Returns name, value, name, value ..., one char per byte. The
   * whole block is decoded to keep the table in sync, but collection stops at the first field that exceeds
   * `maxListSize` bytes (RFC 9113, section 6.5.2) or `maxFields`, and `overflow` is set. Throws HpackError.
   */
  decode(block: Uint8Array, start: number, end: number, maxListSize: number, maxFields: number): string[] {
    const fields: string[] = [];
    const literals = this.#literals;
    literals.open(block, start, end, Math.max(maxListSize, this.#announced));
    let listSize = 0;
    let left = maxFields;
    let overflow = false;
    let neverIndexed: string[] | null = null;
    let sizeMayChange = true;
    while (literals.at < end) {
      const first = block[literals.at++] as number;
      if (first >= 0x80) this.#indexed(first);
      else if (first < 0x20 || first >= 0x40) this.#literal(first);
      else {
        if (!sizeMayChange) throw new HpackError('a table size update is not at the start of its block');
        this.#changeSize(first === 0x3f ? literals.integer(0x1f) : first & 0x1f);
        continue;
      }
      sizeMayChange = false;
      listSize += this.#size;
      if (overflow || listSize > maxListSize || left === 0) {
        overflow = true;
        continue;
      }
      fields.push(this.#name, this.#value);
      left--;
      if (first >= 0x10 && first < 0x20) {
        if (neverIndexed === null) neverIndexed = [this.#name];
        else neverIndexed.push(this.#name);
      }
    }
    literals.close();
    this.overflow = overflow;
    this.neverIndexed = neverIndexed;
    return fields;
  }

  /** A field that is in a table (RFC 7541, section 6.1). */
  #indexed(first: number): void {
    const index = first === 0xff ? this.#literals.integer(0x7f) : first & 0x7f;
    if (index === 0) throw new HpackError('index 0 is not valid');
    if (index <= STATIC_ENTRIES) {
      this.#name = STATIC_NAMES[index] as string;
      this.#value = STATIC_VALUES[index] as string;
    } else {
      const entry = this.#entry(index);
      this.#name = this.#table.name(entry);
      this.#value = this.#table.value(entry);
    }
    this.#size = ENTRY_OVERHEAD + this.#name.length + this.#value.length;
  }

  /** A field whose value, and perhaps name, is in the block (RFC 7541, section 6.2). */
  #literal(first: number): void {
    const literals = this.#literals;
    const indexing = first >= 0x40;
    const mask = indexing ? 0x3f : 0x0f;
    const index = (first & mask) === mask ? literals.integer(mask) : first & mask;
    let size: number;
    let name: string;
    if (index === 0) {
      name = literals.string();
      size = ENTRY_OVERHEAD + literals.length;
    } else {
      name = index <= STATIC_ENTRIES ? (STATIC_NAMES[index] as string) : this.#table.name(this.#entry(index));
      size = ENTRY_OVERHEAD + name.length;
    }
    const value = literals.string();
    size += literals.length;
    if (indexing) this.#table.insert(name, value, size);
    this.#name = name;
    this.#value = value;
    this.#size = size;
  }

  #entry(index: number): number {
    const age = index - STATIC_ENTRIES;
    if (age > this.#table.count) throw new HpackError(`index ${index} is beyond the tables`);
    return this.#table.inserted - age;
  }

  #changeSize(bytes: number): void {
    if (bytes > this.#announced)
      throw new HpackError(`a table size of ${bytes} is above the ${this.#announced} announced`);
    this.#table.maxSize = bytes;
  }
}
