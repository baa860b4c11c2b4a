import { encodeHuffman, huffmanSize } from './huffman-encode.ts';

/** Size of the memory that blocks are sliced from, bytes: one allocation serves a few hundred blocks. */
const SLAB = 16_384;

/** The maximum encoded length of a 32-bit integer, bytes. */
const LONGEST_INTEGER = 6;

/** Writes successive header blocks (RFC 7541, section 5). */
export class BlockWriter {
  #slab = Buffer.allocUnsafeSlow(SLAB);
  #start = 0;
  #at = 0;

  /** Starts a block. Discards an unfinished one whose fields were invalid. */
  begin(): void {
    this.#start = this.#at;
  }

  /** Writes an integer after the bits of `pattern`; `max` is the largest value of its prefix, all ones. */
  integer(pattern: number, max: number, value: number): void {
    this.#reserve(LONGEST_INTEGER);
    const slab = this.#slab;
    if (value < max) {
      slab[this.#at++] = pattern | value;
      return;
    }
    slab[this.#at++] = pattern | max;
    let rest = value - max;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) slab[this.#at++] = 0x80 | (rest & 0x7f);
    slab[this.#at++] = rest;
  }

  /** Writes a latin1 string, Huffman-coded if that is shorter. */
  string(text: string): void {
    const { length } = text;
    const coded = huffmanSize(text);
    this.#reserve(LONGEST_INTEGER + length);
    if (coded < length) {
      this.integer(0x80, 0x7f, coded);
      encodeHuffman(text, this.#slab, this.#at);
      this.#at += coded;
    } else {
      this.integer(0, 0x7f, length);
      this.#slab.write(text, this.#at, length, 'latin1');
      this.#at += length;
    }
  }

  /** Returns the block. Its bytes are never overwritten. */
  take(): Buffer {
    return this.#slab.subarray(this.#start, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#slab.length) return;
    const written = this.#slab.subarray(this.#start, this.#at);
    this.#slab = Buffer.allocUnsafeSlow(Math.max(SLAB, 2 * (written.length + bytes)));
    written.copy(this.#slab);
    this.#start = 0;
    this.#at = written.length;
  }
}
