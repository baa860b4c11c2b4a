import { describe, expect, it } from 'vitest';
import { HpackDecoder } from '../../../../../../electron/engine/http2/hpack/decoder.ts';
import { HpackEncoder } from '../../../../../../electron/engine/http2/hpack/encoder.ts';
import { HpackError } from '../../../../../../electron/engine/http2/hpack/hpack-error.ts';

const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/\s+/g, ''), 'hex');

function decode(decoder: HpackDecoder, block: Uint8Array): string[] {
  return decoder.decode(block, 0, block.length, 65_536, 100);
}

/** Everything in the dynamic table, newest first, asked for as a peer would. */
function dynamicEntries(decoder: HpackDecoder): string[] {
  const entries: string[] = [];
  for (let index = 62; ; index++) {
    try {
      entries.push(...decode(decoder, Buffer.of(0x80 | index)));
    } catch (error) {
      expect(error).toBeInstanceOf(HpackError);
      return entries;
    }
  }
}

/** A table size update (RFC 7541, section 6.3), below 31 + 128 bytes or with one more byte. */
function sizeUpdate(size: number): Buffer {
  const rest = size - 31;
  return rest < 0x80 ? Buffer.of(0x3f, rest) : Buffer.of(0x3f, 0x80 | (rest & 0x7f), rest >> 7);
}

interface Example {
  block: string;
  fields: string[];
  table: string[];
  size: number;
}

const AUTHORITY = [':authority', 'www.example.com'];
const NO_CACHE = ['cache-control', 'no-cache'];
const CUSTOM = ['custom-key', 'custom-value'];

const requests = (first: string, second: string, third: string): Example[] => [
  {
    block: first,
    fields: [':method', 'GET', ':scheme', 'http', ':path', '/', ...AUTHORITY],
    table: AUTHORITY,
    size: 57,
  },
  {
    block: second,
    fields: [':method', 'GET', ':scheme', 'http', ':path', '/', ...AUTHORITY, ...NO_CACHE],
    table: [...NO_CACHE, ...AUTHORITY],
    size: 110,
  },
  {
    block: third,
    fields: [':method', 'GET', ':scheme', 'https', ':path', '/index.html', ...AUTHORITY, ...CUSTOM],
    table: [...CUSTOM, ...NO_CACHE, ...AUTHORITY],
    size: 164,
  },
];

const PRIVATE = ['cache-control', 'private'];
const DATE_21 = ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'];
const DATE_22 = ['date', 'Mon, 21 Oct 2013 20:13:22 GMT'];
const LOCATION = ['location', 'https://www.example.com'];
const GZIP = ['content-encoding', 'gzip'];
const COOKIE = ['set-cookie', 'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1'];

const responses = (first: string, second: string, third: string): Example[] => [
  {
    block: first,
    fields: [':status', '302', ...PRIVATE, ...DATE_21, ...LOCATION],
    table: [...LOCATION, ...DATE_21, ...PRIVATE, ':status', '302'],
    size: 222,
  },
  {
    block: second,
    fields: [':status', '307', ...PRIVATE, ...DATE_21, ...LOCATION],
    table: [':status', '307', ...LOCATION, ...DATE_21, ...PRIVATE],
    size: 222,
  },
  {
    block: third,
    fields: [':status', '200', ...PRIVATE, ...DATE_22, ...LOCATION, ...GZIP, ...COOKIE],
    table: [...COOKIE, ...GZIP, ...DATE_22],
    size: 215,
  },
];

const HUFFMAN_REQUESTS = requests(
  '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
  '8286 84be 5886 a8eb 1064 9cbf',
  '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
);

const SERIES: [section: string, tableSize: number, examples: Example[]][] = [
  [
    'C.3, requests without Huffman coding',
    4096,
    requests(
      '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '8286 84be 5808 6e6f 2d63 6163 6865',
      '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    ),
  ],
  ['C.4, requests with Huffman coding', 4096, HUFFMAN_REQUESTS],
  [
    'C.5, responses without Huffman coding',
    256,
    responses(
      `4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d
       546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d`,
      '4803 3330 37c1 c0bf',
      `88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f
       6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b
       2076 6572 7369 6f6e 3d31`,
    ),
  ],
  [
    'C.6, responses with Huffman coding',
    256,
    responses(
      `4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7
       8f0b 97c8 e9ae 82ae 43d3`,
      '4883 640e ffc1 c0bf',
      `88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335
       dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07`,
    ),
  ],
];

describe('the examples of RFC 7541, appendix C', () => {
  describe.each(SERIES)('%s', (_section, tableSize, examples) => {
    it('fields and tables', () => {
      const decoder = new HpackDecoder(tableSize);
      for (const { block, fields, table } of examples) {
        expect(decode(decoder, bytes(block))).toEqual(fields);
        expect(dynamicEntries(decoder)).toEqual(table);
      }
    });

    it.each([0, 1, 2])('the size of the table after block %i', (last) => {
      const { size, table } = examples[last] as Example;
      const resized = (limit: number): string[] => {
        const decoder = new HpackDecoder(tableSize);
        for (const { block } of examples.slice(0, last + 1)) decode(decoder, bytes(block));
        decode(decoder, sizeUpdate(limit));
        return dynamicEntries(decoder);
      };
      expect(resized(size)).toEqual(table);
      expect(resized(size - 1)).toEqual(table.slice(0, -2));
    });
  });

  it('C.2.1, literal with indexing', () => {
    const block = '400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572';
    const decoder = new HpackDecoder(4096);
    expect(decode(decoder, bytes(block))).toEqual(['custom-key', 'custom-header']);
    expect(decoder.neverIndexed).toBeNull();
    expect(dynamicEntries(decoder)).toEqual(['custom-key', 'custom-header']);
  });

  it('C.2.2, literal without indexing', () => {
    const decoder = new HpackDecoder(4096);
    expect(decode(decoder, bytes('040c 2f73 616d 706c 652f 7061 7468'))).toEqual([':path', '/sample/path']);
    expect(decoder.neverIndexed).toBeNull();
    expect(dynamicEntries(decoder)).toEqual([]);
  });

  it('C.2.3, literal never indexed', () => {
    const decoder = new HpackDecoder(4096);
    expect(decode(decoder, bytes('1008 7061 7373 776f 7264 0673 6563 7265 74'))).toEqual(['password', 'secret']);
    expect(decoder.neverIndexed).toEqual(['password']);
    expect(dynamicEntries(decoder)).toEqual([]);
  });

  it('C.2.4, indexed', () => {
    const decoder = new HpackDecoder(4096);
    expect(decode(decoder, bytes('82'))).toEqual([':method', 'GET']);
    expect(dynamicEntries(decoder)).toEqual([]);
  });

  it.each([
    ['C.1.1', 10, '2a'],
    ['C.1.2', 1337, '3f9a0a'],
  ])('%s, an integer, %i, as a table size', (_section, size, block) => {
    const encoder = new HpackEncoder();
    encoder.maxTableSize = size;
    expect(encoder.encode([], null).toString('hex')).toBe(block);
    expect(decode(new HpackDecoder(size), bytes(block))).toEqual([]);
    expect(() => decode(new HpackDecoder(size - 1), bytes(block))).toThrow(HpackError);
  });

  it('the encoder writes the blocks of C.4', () => {
    const encoder = new HpackEncoder();
    for (const { block, fields } of HUFFMAN_REQUESTS) {
      expect(encoder.encode(fields, null).toString('hex')).toBe(block.replaceAll(' ', ''));
    }
  });
});
