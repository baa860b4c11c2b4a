import { HpackError } from './hpack-error.ts';
import { decodeHuffman } from './huffman-decode.ts';

const NOTHING = new Uint8Array(0);

/** Buffer for decoding Huffman-coded strings. Holds nothing between calls. */
let scratch = Buffer.allocUnsafeSlow(4096);

/** Reads the integers and strings of a header block (RFC 7541, section 5). */
export class LiteralReader {
  /** Position of the next byte. */
  at = 0;
  /** Length of the last string read, bytes. */
  length = 0;
  #block: Uint8Array = NOTHING;
  #end = 0;
  #longest = 0;

  /**
   * Strings longer than `longest` are validated and measured but returned as '', because the caller has no use for
   * them.
   */
  open(block: Uint8Array, start: number, end: number, longest: number): void {
    this.#block = block;
    this.at = start;
    this.#end = end;
    this.#longest = longest;
  }

  /** Releases the block. */
  close(): void {
    this.#block = NOTHING;
  }

  /**
   * Reads the rest of an integer whose prefix, of value `prefix`, was full (RFC 7541, section 5.1). At most 32 bits.
   */
  integer(prefix: number): number {
    let value = prefix;
    let weight = 1;
    for (let count = 0; count < 5; count++) {
      if (this.at >= this.#end) throw new HpackError('the block ends inside an integer');
      const byte = this.#block[this.at++] as number;
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) {
        if (value > 0xffff_ffff) break;
        return value;
      }
      weight *= 128;
    }
    throw new HpackError('an integer has more than 32 bits');
  }

  /** Reads a string literal (RFC 7541, section 5.2), one char per byte. Sets `length`, even if it returns ''. */
  string(): string {
    const block = this.#block;
    if (this.at >= this.#end) throw new HpackError('the block ends before a string');
    const first = block[this.at++] as number;
    const size = (first & 0x7f) === 0x7f ? this.integer(0x7f) : first & 0x7f;
    const start = this.at;
    const end = start + size;
    if (end > this.#end) throw new HpackError('a string is longer than its block');
    this.at = end;
    if (first < 0x80) {
      this.length = size;
      return size > this.#longest ? '' : latin1(block, start, end);
    }
    // The shortest code has 5 bits.
    const room = Math.min(Math.floor((size * 8) / 5), this.#longest);
    if (room > scratch.length) scratch = Buffer.allocUnsafeSlow(room);
    const length = decodeHuffman(block, start, end, scratch, room);
    this.length = length;
    return length > this.#longest ? '' : scratch.toString('latin1', 0, length);
  }
}

function latin1(block: Uint8Array, start: number, end: number): string {
  const bytes = block instanceof Buffer ? block : Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  return bytes.toString('latin1', start, end);
}
