import { HpackError } from './hpack-error.ts';
import { CODE_LENGTHS, CODES, EOS } from './huffman-codes.ts';

/** Marks an entry whose low bits are not a byte but the offset of the table for the next eight bits. */
const MORE = 0x8000;
const END_OF_STRING = 0x4000;

/**
 * Consecutive tables of 256 entries. The first is indexed by eight bits; an entry holds either the byte (low eight
 * bits) and the number of bits in its code (above them), or the table to index with the next eight bits.
 */
const TABLES = ((): Uint16Array => {
  const entries: number[] = new Array(256).fill(0);
  for (let symbol = 0; symbol <= EOS; symbol++) {
    const code = CODES[symbol] as number;
    let left = CODE_LENGTHS[symbol] as number;
    let table = 0;
    for (; left > 8; left -= 8) {
      const at = table + ((code >>> (left - 8)) & 0xff);
      if (entries[at] === 0) {
        entries[at] = MORE | entries.length;
        for (let index = 0; index < 256; index++) entries.push(0);
      }
      table = (entries[at] as number) & ~MORE;
    }
    const first = table + ((code << (8 - left)) & 0xff);
    const entry = symbol === EOS ? END_OF_STRING : (left << 8) | symbol;
    entries.fill(entry, first, first + (1 << (8 - left)));
  }
  return Uint16Array.from(entries);
})();

/**
 * Decodes the Huffman-coded bytes [start, end) of `block` (RFC 7541, section 5.2) into `out`. Bytes from `room` on are
 * checked and counted but not written. Returns the length of the decoded string; throws HpackError.
 */
export function decodeHuffman(block: Uint8Array, start: number, end: number, out: Uint8Array, room: number): number {
  let bits = 0;
  let count = 0;
  let table = 0;
  let length = 0;
  for (let at = start; at < end; at++) {
    bits = (bits << 8) | (block[at] as number);
    count += 8;
    while (count >= 8) {
      const entry = TABLES[table + ((bits >>> (count - 8)) & 0xff)] as number;
      if (entry < END_OF_STRING) {
        if (length < room) out[length] = entry;
        length++;
        count -= entry >>> 8;
        table = 0;
      } else {
        if (entry === END_OF_STRING) throw new HpackError('the end-of-string symbol is in a string');
        table = entry & ~MORE;
        count -= 8;
      }
    }
  }
  // Fewer than eight bits are left: complete codes, then padding.
  while (count > 0) {
    const entry = TABLES[table + (((bits << (8 - count)) | (0xff >>> count)) & 0xff)] as number;
    if (entry >= END_OF_STRING || entry >>> 8 > count) break;
    if (length < room) out[length] = entry;
    length++;
    count -= entry >>> 8;
    table = 0;
  }
  if (table !== 0) throw new HpackError('a Huffman code is cut off, or the padding is longer than 7 bits');
  const padding = (1 << count) - 1;
  if ((bits & padding) !== padding) throw new HpackError('the Huffman padding is not the start of end-of-string');
  return length;
}
