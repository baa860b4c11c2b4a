import { CODE_LENGTHS, CODES } from './huffman-codes.ts';

/** The Huffman-coded size of a latin1 string, bytes (RFC 7541, section 5.2). */
export function huffmanSize(text: string): number {
  let bits = 7;
  for (let at = 0; at < text.length; at++) bits += CODE_LENGTHS[text.charCodeAt(at) & 0xff] as number;
  return Math.floor(bits / 8);
}

/** Huffman-encodes a latin1 string to `out` starting at `at`; `out` needs room for huffmanSize bytes. */
export function encodeHuffman(text: string, out: Uint8Array, at: number): void {
  let bits = 0;
  let count = 0;
  let to = at;
  for (let index = 0; index < text.length; index++) {
    const symbol = text.charCodeAt(index) & 0xff;
    const code = CODES[symbol] as number;
    let length = CODE_LENGTHS[symbol] as number;
    if (length > 24) {
      // With up to seven bits pending, 32 bits would overflow: write the upper part first.
      length -= 16;
      bits = (bits << length) | (code >>> 16);
      count += length;
      while (count >= 8) {
        count -= 8;
        out[to++] = bits >>> count;
      }
      bits = (bits << 16) | (code & 0xffff);
      count += 16;
    } else {
      bits = (bits << length) | code;
      count += length;
    }
    while (count >= 8) {
      count -= 8;
      out[to++] = bits >>> count;
    }
  }
  if (count > 0) out[to] = (bits << (8 - count)) | (0xff >>> count);
}
