import { describe, expect, it } from 'vitest';
import { HpackDecoder } from '../../../../../../electron/engine/http2/hpack/decoder.ts';
import { HpackError } from '../../../../../../electron/engine/http2/hpack/hpack-error.ts';

const LIST = 65_536;
const FIELDS = 100;

function decode(decoder: HpackDecoder, hex: string, maxListSize = LIST, maxFields = FIELDS): string[] {
  const block = Buffer.from(hex, 'hex');
  return decoder.decode(block, 0, block.length, maxListSize, maxFields);
}

const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

/** A string literal below 127 bytes, not Huffman-coded. */
const literal = (text: string): string => hex(String.fromCharCode(text.length) + text);

/** A literal field with a new name, to be inserted. */
const inserted = (name: string, value: string): string => `40${literal(name)}${literal(value)}`;

describe('an invalid header block is refused', () => {
  it.each([
    ['index 0', '80', 'index 0 is not valid'],
    ['an index beyond the tables', 'be', 'index 62 is beyond the tables'],
    ['a name index beyond the tables', '7e0161', 'index 62 is beyond the tables'],
    ['a name index beyond the tables, no indexing', '0f2f0161', 'index 62 is beyond the tables'],
    ['an index of 2^32 - 1', 'ff80ffffff0f', 'index 4294967295 is beyond the tables'],
    ['an integer of 33 bits', 'ff80ffffff1f', 'an integer has more than 32 bits'],
    ['an integer that just overflows', 'ff81ffffff0f', 'an integer has more than 32 bits'],
    ['endless continuation bytes', `ff${'80'.repeat(64)}00`, 'an integer has more than 32 bits'],
    ['six continuation bytes, all zero', 'ff808080808000', 'an integer has more than 32 bits'],
    ['a block that ends in an index', 'ff', 'the block ends inside an integer'],
    ['a block that ends in a long index', 'ff80', 'the block ends inside an integer'],
    ['a block that ends in a size update', '3f', 'the block ends inside an integer'],
    ['a block that ends before a name', '40', 'the block ends before a string'],
    ['a block that ends before a value', '400161', 'the block ends before a string'],
    ['a block that ends before an indexed name its value', '41', 'the block ends before a string'],
    ['a block that ends in a length', '407f', 'the block ends inside an integer'],
    ['a block that ends in a never-indexed field', '1001', 'a string is longer than its block'],
    ['a string longer than its block', '410561626364', 'a string is longer than its block'],
    ['a Huffman string longer than its block', '4185f1e3', 'a string is longer than its block'],
    ['a string of 4 GB', '417f80ffffff0f', 'a string is longer than its block'],
    ['a size above the announced', '3fe21f', 'a table size of 4097 is above the 4096 announced'],
    ['a size update after a field', '8220', 'a table size update is not at the start of its block'],
    ['a size update between fields', '823fe11f82', 'a table size update is not at the start of its block'],
    // '0' is 00000.
    ['Huffman padding of zeros', '418100', 'the Huffman padding is not the start of end-of-string'],
    ['Huffman padding with one zero', '418106', 'the Huffman padding is not the start of end-of-string'],
    ['eight bits of Huffman padding', '418207ff', 'padding is longer than 7 bits'],
    ['nothing but Huffman padding', '4181ff', 'padding is longer than 7 bits'],
    ['three bytes of Huffman padding', '4183ffffff', 'padding is longer than 7 bits'],
    ['the end-of-string symbol', '4184ffffffff', 'the end-of-string symbol is in a string'],
    ['the end-of-string symbol after a byte', '418507fffffffc', 'the end-of-string symbol is in a string'],
    // A backslash is 1111111111111110000.
    ['a Huffman code that is cut off', '4182fffe', 'a Huffman code is cut off'],
  ])('%s', (_what, block, message) => {
    const attempt = (): string[] => decode(new HpackDecoder(4096), block);
    expect(attempt).toThrow(HpackError);
    expect(attempt).toThrow(message);
  });

  it('cut anywhere within a field', () => {
    const block = Buffer.from(`3fe11f82${inserted('name', 'value')}4187${'f1e3c2e5f23a6b'}`, 'hex');
    const whole = new Set([0, 3, 4, 4 + 1 + 5 + 6, block.length]);
    for (let end = 0; end <= block.length; end++) {
      const attempt = (): string[] => new HpackDecoder(4096).decode(block, 0, end, LIST, FIELDS);
      if (whole.has(end)) expect(attempt).not.toThrow();
      else expect(attempt).toThrow(HpackError);
    }
  });
});

describe('valid header blocks', () => {
  it('seven bits of Huffman padding, and none', () => {
    // '0' is 00000, 'X' is 11111100.
    expect(decode(new HpackDecoder(4096), '418107')).toEqual([':authority', '0']);
    expect(decode(new HpackDecoder(4096), '4181fc')).toEqual([':authority', 'X']);
    // ':' is 1011100.
    expect(decode(new HpackDecoder(4096), '4181b9')).toEqual([':authority', ':']);
  });

  it('an empty block, empty strings, Huffman-coded ones too', () => {
    const decoder = new HpackDecoder(4096);
    expect(decode(decoder, '')).toEqual([]);
    expect(decode(decoder, '400000')).toEqual(['', '']);
    expect(decode(decoder, '408080')).toEqual(['', '']);
    expect(decode(decoder, 'bebf')).toEqual(['', '', '', '']);
  });

  it('only the bytes between start and end, of any Uint8Array', () => {
    const block = Uint8Array.from(Buffer.from(`ffff82${inserted('name', 'value')}00`, 'hex'));
    const part = block.subarray(1);
    expect(new HpackDecoder(4096).decode(part, 1, part.length - 1, LIST, FIELDS)).toEqual([
      ':method',
      'GET',
      'name',
      'value',
    ]);
  });

  it('strings do not change when their bytes do', () => {
    const block = Buffer.from(inserted('name', 'value'), 'hex');
    const decoder = new HpackDecoder(4096);
    const fields = decoder.decode(block, 0, block.length, LIST, FIELDS);
    block.fill(0x2e);
    expect(fields).toEqual(['name', 'value']);
    expect(decode(decoder, 'be')).toEqual(['name', 'value']);
  });

  it('a repeated Huffman string, and others of its length', () => {
    const decoder = new HpackDecoder(4096);
    // 'www.example.com', and it with its first, a middle and its last byte changed.
    const texts: [string, string][] = [
      ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
      ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
      ['f1e3c2e5f23a6ba0ab90f53f', 'www.example.coo'],
      ['f1e3c2e5f23a6ba0ab90f4ff', 'www.example.com'],
      ['e5e3c2e5f23a6ba0ab90f4ff', 'Www.example.com'],
    ];
    for (const [bytes] of texts) {
      const again = decode(decoder, `048c${bytes}048c${bytes}`);
      expect(again).toEqual(decode(new HpackDecoder(4096), `048c${bytes}048c${bytes}`));
    }
    expect(decode(decoder, `048c${texts[0]?.[0]}`)).toEqual([':path', 'www.example.com']);
  });
});

describe('the size of the table', () => {
  it('is 4096 bytes until the peer says more', () => {
    const fields = Array.from({ length: 60 }, (_, index) =>
      inserted(`n${String(index).padStart(3, '0')}`, 'v'.repeat(64)),
    );
    // Each entry counts 100 bytes: 40 of them fit.
    const decoder = new HpackDecoder(65_536);
    decode(decoder, fields.join(''));
    expect(decode(decoder, 'e5')[0]).toBe('n020');
    expect(() => decode(decoder, 'e6')).toThrow('index 102 is beyond the tables');
    const larger = new HpackDecoder(65_536);
    decode(larger, `3fe1ff03${fields.join('')}`);
    expect(decode(larger, 'f9')[0]).toBe('n000');
  });

  it.each([117, 250])('holds as many small entries as fit, of %i', (count) => {
    const decoder = new HpackDecoder(4096);
    // Each counts 35 bytes: 117 of them fit.
    const name = (index: number): string => String.fromCharCode(0x100 - index);
    for (let index = 1; index <= count; index++) decode(decoder, inserted(name(index), 'vv'));
    const asked = Array.from({ length: 117 }, (_, age) => 62 + age);
    const block = asked.map((index) =>
      index < 127 ? (0x80 | index).toString(16) : `ff${hex(String.fromCharCode(index - 127))}`,
    );
    const expected = asked.flatMap((index) => [name(count - (index - 62)), 'vv']);
    expect(decode(decoder, block.join(''), LIST, 200)).toEqual(expected);
    expect(() => decode(decoder, 'ff34')).toThrow('index 179 is beyond the tables');
  });

  it('shrinks to nothing and grows again, any number of times at the start of a block', () => {
    const decoder = new HpackDecoder(4096);
    decode(decoder, inserted('a', '1') + inserted('b', '2'));
    expect(decode(decoder, '3f03be')).toEqual(['b', '2']);
    expect(() => decode(decoder, 'bf')).toThrow(HpackError);
    expect(decode(decoder, '203fe11f203f033fe11f82')).toEqual([':method', 'GET']);
    expect(() => decode(decoder, 'be')).toThrow(HpackError);
    expect(decode(decoder, `${inserted('c', '3')}be`)).toEqual(['c', '3', 'c', '3']);
  });

  it('a field larger than the table empties it without an error', () => {
    const decoder = new HpackDecoder(64);
    decode(decoder, inserted('a', '1'));
    expect(decode(decoder, inserted('large', 'x'.repeat(28)))).toEqual(['large', 'x'.repeat(28)]);
    expect(() => decode(decoder, 'be')).toThrow('index 62 is beyond the tables');
    expect(decode(decoder, `${inserted('fits', 'x'.repeat(28))}be`)[2]).toBe('fits');
  });

  it('a new entry may take its name from the one that it evicts', () => {
    const decoder = new HpackDecoder(64);
    decode(decoder, inserted('name', 'x'.repeat(20)));
    expect(decode(decoder, `7e${literal('y'.repeat(20))}`)).toEqual(['name', 'y'.repeat(20)]);
    expect(decode(decoder, 'be')).toEqual(['name', 'y'.repeat(20)]);
  });
});

describe('more than may be collected', () => {
  it('in bytes: 32 for each field, and its name and value', () => {
    const decoder = new HpackDecoder(4096);
    const block = inserted('name', 'value') + inserted('more', 'values');
    expect(decode(decoder, block, 41 + 42)).toHaveLength(4);
    expect(decoder.overflow).toBe(false);
    expect(decode(decoder, block, 41 + 41)).toEqual(['name', 'value']);
    expect(decoder.overflow).toBe(true);
    expect(decode(decoder, 'be', 42)).toEqual(['more', 'values']);
    expect(decoder.overflow).toBe(false);
  });

  it('in fields', () => {
    const decoder = new HpackDecoder(4096);
    expect(decode(decoder, '828486', LIST, 3)).toHaveLength(6);
    expect(decoder.overflow).toBe(false);
    expect(decode(decoder, '828486', LIST, 2)).toEqual([':method', 'GET', ':path', '/']);
    expect(decoder.overflow).toBe(true);
    expect(decode(decoder, '82', LIST, 0)).toEqual([]);
    expect(decoder.overflow).toBe(true);
  });

  it('nothing is collected after the first field that does not fit, and the list has no gaps', () => {
    const decoder = new HpackDecoder(4096);
    expect(decode(decoder, `82${inserted('name', 'x'.repeat(100))}84`, 100)).toEqual([':method', 'GET']);
    expect(decoder.overflow).toBe(true);
  });

  it('the table stays in step', () => {
    const decoder = new HpackDecoder(4096);
    expect(decode(decoder, inserted('a', '1') + inserted('b', '2'), 10)).toEqual([]);
    expect(decode(decoder, 'bfbe')).toEqual(['a', '1', 'b', '2']);
  });

  it('fields that are not collected are still validated', () => {
    expect(() => decode(new HpackDecoder(4096), `${inserted('a', '1')}80`, 10)).toThrow(HpackError);
    expect(() => decode(new HpackDecoder(4096), '8282be', LIST, 1)).toThrow(HpackError);
    // A Huffman string of zeros beyond all limits, then the same with the end-of-string symbol near its end.
    const long = '41ff85f003';
    const size = 127 + 0x05 + (0x70 << 7) + (0x03 << 14);
    const good = Buffer.alloc(size, 0);
    good[size - 1] = 0x07;
    const decoder = new HpackDecoder(4096);
    expect(decode(decoder, long + good.toString('hex'), 100)).toEqual([]);
    expect(decoder.overflow).toBe(true);
    expect(() => decode(decoder, 'be')).toThrow(HpackError);
    good.fill(0xff, size - 5);
    expect(() => decode(new HpackDecoder(4096), long + good.toString('hex'), 100)).toThrow(
      'the end-of-string symbol is in a string',
    );
  });

  it('many references to one large entry', () => {
    const decoder = new HpackDecoder(4096);
    const size = 4000 - 127;
    const large = `4001617f${(0x80 | (size & 0x7f)).toString(16)}${(size >> 7).toString(16)}${'78'.repeat(4000)}`;
    const fields = decode(decoder, large + 'be'.repeat(16_000), LIST, 1_000_000);
    expect(decoder.overflow).toBe(true);
    expect(fields).toHaveLength(2 * Math.floor(LIST / 4033));
    // One string, not as many as fields.
    expect(new Set(fields).size).toBe(2);
  });
});

describe('fields that no hop may index', () => {
  it('are named, with the name from either table or new', () => {
    const decoder = new HpackDecoder(4096);
    decode(decoder, inserted('x-key', '1'));
    const block = `1f08${literal('Basic')}1f2f${literal('2')}10${literal('secret')}${literal('3')}0f2f${literal('4')}`;
    expect(decode(decoder, block)).toEqual(['authorization', 'Basic', 'x-key', '2', 'secret', '3', 'x-key', '4']);
    expect(decoder.neverIndexed).toEqual(['authorization', 'x-key', 'secret']);
    expect(decode(decoder, '82be')).toEqual([':method', 'GET', 'x-key', '1']);
    expect(decoder.neverIndexed).toBeNull();
  });

  it('that are not collected are not named', () => {
    const decoder = new HpackDecoder(4096);
    const never = (name: string): string => `10${literal(name)}${literal('1')}`;
    decode(decoder, never('a') + never('b') + never('c'), LIST, 2);
    expect(decoder.neverIndexed).toEqual(['a', 'b']);
    decode(decoder, never('a') + never('b') + never('c'), 34 + 33);
    expect(decoder.neverIndexed).toEqual(['a']);
  });
});
