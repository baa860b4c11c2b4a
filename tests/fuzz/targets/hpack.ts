import { HpackDecoder } from '../../../electron/engine/http2/hpack/decoder.ts';
import { HpackEncoder } from '../../../electron/engine/http2/hpack/encoder.ts';
import { HpackError } from '../../../electron/engine/http2/hpack/hpack-error.ts';
import type { Random } from '../random.ts';
import { type FuzzTarget, kindOf, same, Violation, words } from '../target.ts';

const TABLE = 4096;
const MOST_BYTES = 65_536;
const MOST_FIELDS = 100;

/** The input as header blocks of one connection: a byte of length before each. */
function blocksOf(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + (bytes[at] ?? 0);
    blocks.push(bytes.subarray(at + 1, end));
    at = end;
  }
  return blocks;
}

/** What is decoded is encoded and decoded again, by an encoder and a decoder that live as long as the connection. */
export const hpack: FuzzTarget = {
  name: 'hpack',
  words: words(
    ...['\x82', '\x88', '\xbe', '\xbf', '\xff\x00', '\xff\x80\x01', '\x3f\xe1\x1f', '\x20', '\x3f\xe2\x1f', '\x1f\x7f'],
    ...['\x40\x01a\x01b', '\x00\x01a\x01b', '\x10\x01a\x01b', '\x41\x01b', '\x0f\x2f\x03abc', '\x40\x81\x1f\x81\x1f'],
    ...['\x82\x30\xff', '\x8c\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90\xf4\xff', '\x7f\xff\xff\xff\xff\x0f', '\x7f'],
    ...['set-cookie', 'authorization', 'cookie', '\x00', '\x05', '\x10', '\x40', '\x80'],
  ),
  seeds: [],
  run(bytes: Buffer, random: Random): string {
    const decoder = new HpackDecoder(TABLE);
    const encoder = new HpackEncoder();
    const back = new HpackDecoder(TABLE);
    let kinds = '';
    for (const block of blocksOf(bytes)) {
      let fields: string[];
      try {
        fields = decoder.decode(block, 0, block.length, MOST_BYTES, MOST_FIELDS);
      } catch (error) {
        if (error instanceof HpackError) return `${kinds.slice(-6)} ${kindOf(error.message)}`;
        throw error;
      }
      if (fields.length % 2 !== 0) throw new Violation('a name without a value');
      if (fields.length > MOST_FIELDS * 2) throw new Violation(`${fields.length} fields, over the limit`);
      const never = decoder.neverIndexed;
      if (random.below(8) === 0) encoder.maxTableSize = random.pick([0, 64, 1000, TABLE]);
      const again = encoder.encode(fields, never);
      const read = back.decode(again, 0, again.length, MOST_BYTES * 2, MOST_FIELDS);
      same('fields, and what came of them', fields, read);
      for (const name of never ?? []) {
        if (!back.neverIndexed?.includes(name)) throw new Violation(`${name} may be indexed, and must never be`);
      }
      kinds += `${Math.min(fields.length / 2, 4)}${decoder.overflow ? 'o' : ''}${never ? 'n' : ''}`;
    }
    return kinds.slice(-6);
  },
};
