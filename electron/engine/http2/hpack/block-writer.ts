import { encodeHuffman, huffmanSize } from './huffman-encode.ts';

/** Blocks are cut from memory of this size, bytes: one allocation serves some hundred of them. */
const SLAB = 16_384;

/** The most bytes that an integer of 32 bits takes. */
const LONGEST_INTEGER = 6;

/** Writes header blocks one after the other (RFC 7541, section 5). */
export class BlockWriter {
  #slab = Buffer.allocUnsafeSlow(SLAB);
  #start = 0;
  #at = 0;

  /** Begins a block; one that was not taken, because its fields were none, is forgotten. */
  begin(): void {
    this.#start = this.#at;
  }

  /** An integer behind the bits of `pattern`; `max` is what its prefix holds, all ones. */
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

  /** A string of latin1, in the Huffman code where that is shorter. Gives the bytes it took, its length's included. */
  string(text: string): number {
    const { length } = text;
    const coded = huffmanSize(text);
    this.#reserve(LONGEST_INTEGER + length);
    const start = this.#at;
    if (coded < length) {
      this.integer(0x80, 0x7f, coded);
      encodeHuffman(text, this.#slab, this.#at);
      this.#at += coded;
    } else {
      this.integer(0, 0x7f, length);
      this.#slab.write(text, this.#at, length, 'latin1');
      this.#at += length;
    }
    return this.#at - start;
  }

  /** Bytes that are encoded already. */
  copy(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    const slab = this.#slab;
    let to = this.#at;
    for (let at = 0; at < bytes.length; at++) slab[to++] = bytes[at] as number;
    this.#at = to;
  }

  /** A copy of the last `size` bytes written. */
  last(size: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#slab, this.#at - size, this.#at);
  }

  /** The block. Nothing writes to its bytes again. */
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
