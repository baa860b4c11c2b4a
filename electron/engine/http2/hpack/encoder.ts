import { BlockWriter } from './block-writer.ts';
import { DEFAULT_TABLE_SIZE, ENTRY_OVERHEAD } from './dynamic-table.ts';
import { EncoderTable, type KnownName } from './encoder-table.ts';
import { Indexing, indexingOf, SHORT_COOKIE } from './indexing-policy.ts';

/** Up to this many names, searching an array is faster than building a set. */
const SHORT_LIST = 8;

/** Names of a block remembered for the next block. */
const REMEMBERED = 64;

/** Shared by all encoders, because each block is written synchronously. */
const writer = new BlockWriter();

/** Encodes the header blocks of one direction of a connection (RFC 7541), in sending order. */
export class HpackEncoder {
  readonly #table = new EncoderTable();
  /** Names of the last block, in order: most blocks repeat them. */
  readonly #last: (KnownName | undefined)[] = [];
  /** Sizes for the next block to announce: the smallest since the last block, and the current one, bytes. */
  #smallest = DEFAULT_TABLE_SIZE;
  #wanted = DEFAULT_TABLE_SIZE;

  /** The peer's SETTINGS_HEADER_TABLE_SIZE, bytes. More than 4096 is not used. */
  set maxTableSize(bytes: number) {
    this.#wanted = Math.min(bytes, DEFAULT_TABLE_SIZE);
    this.#smallest = Math.min(this.#smallest, this.#wanted);
  }

  /**
   * Encodes `fields` (name, value, name, value ..., latin1) as the next header block. Preserves order, duplicates and
   * bytes. Fields named in `neverIndexed` are sent as "never indexed" (RFC 7541, section 6.2.3), as are credentials and
   * short cookies. The block must be sent, because the peer's table follows it.
   */
  encode(fields: readonly string[], neverIndexed: readonly string[] | null): Buffer {
    writer.begin();
    this.#announceSize();
    const table = this.#table;
    const last = this.#last;
    const listed = neverIndexed === null || neverIndexed.length <= SHORT_LIST ? neverIndexed : [];
    const many = neverIndexed === listed ? null : new Set(neverIndexed);
    for (let at = 0; at < fields.length; at += 2) {
      const name = fields[at] as string;
      const value = fields[at + 1] as string;
      let known = last[at >> 1];
      if (known === undefined || known.name !== name) {
        known = table.find(name);
        if (at < 2 * REMEMBERED) last[at >> 1] = known;
      }
      let indexing = known === undefined ? indexingOf(name) : known.indexing;
      if (listed !== null && (listed.includes(name) || many?.has(name))) indexing = Indexing.never;
      else if (name === 'cookie' && value.length < SHORT_COOKIE) indexing = Indexing.never;
      if (known !== undefined && indexing !== Indexing.never) {
        const index = table.indexOf(known, value);
        if (index !== 0) {
          writer.integer(0x80, 0x7f, index);
          continue;
        }
      }
      const size = ENTRY_OVERHEAD + name.length + value.length;
      // As in nghttp2: a field that would fill most of the table evicts more than it can save.
      if (indexing === Indexing.insert && size * 4 > table.maxSize * 3) indexing = Indexing.without;
      const nameIndex = known === undefined ? 0 : table.nameIndexOf(known);
      if (indexing === Indexing.insert) writer.integer(0x40, 0x3f, nameIndex);
      else writer.integer(indexing === Indexing.never ? 0x10 : 0, 0x0f, nameIndex);
      if (nameIndex === 0) writer.string(name);
      writer.string(value);
      if (indexing === Indexing.insert) table.insert(name, value, size);
    }
    return writer.take();
  }

  /**
   * Announces a changed size at the start of the next block; after a decrease and an increase, also the lowest (RFC
   * 7541, section 4.2).
   */
  #announceSize(): void {
    const table = this.#table;
    if (this.#smallest < table.maxSize) this.#resize(this.#smallest);
    if (this.#wanted !== table.maxSize) this.#resize(this.#wanted);
    this.#smallest = this.#wanted;
  }

  #resize(bytes: number): void {
    writer.integer(0x20, 0x1f, bytes);
    this.#table.maxSize = bytes;
  }
}
