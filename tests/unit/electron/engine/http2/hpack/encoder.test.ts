import { describe, expect, it } from 'vitest';
import { HpackDecoder } from '../../../../../../electron/engine/http2/hpack/decoder.ts';
import { HpackEncoder } from '../../../../../../electron/engine/http2/hpack/encoder.ts';

const hex = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

/** Both ends of one direction of a connection. */
function pair(): { encoder: HpackEncoder; decoder: HpackDecoder; pass(fields: string[], never?: string[]): Buffer } {
  const encoder = new HpackEncoder();
  const decoder = new HpackDecoder(4096);
  return {
    encoder,
    decoder,
    /** Returns the block after checking that it decodes to the fields. */
    pass(fields, never) {
      const block = encoder.encode(fields, never ?? null);
      expect(decoder.decode(block, 0, block.length, 1_000_000, 1000)).toEqual(fields);
      return block;
    },
  };
}

describe('what goes into the table', () => {
  it('a field of the static table is sent as an index', () => {
    const fields = [':method', 'POST', ':path', '/index.html', ':status', '304', 'accept-encoding', 'gzip, deflate'];
    expect(pair().pass(fields).toString('hex')).toBe('83858b90');
    expect(pair().pass([':authority', '', 'www-authenticate', '', 'etag', '']).toString('hex')).toBe('81bda2');
  });

  it('a repeated field is sent as an index', () => {
    const { pass } = pair();
    const fields = ['user-agent', 'test/1', 'x-one', '1', 'x-two', '2', 'cookie', 'session=0123456789abcdef'];
    pass(fields);
    expect(pass(fields).toString('hex')).toBe('c1c0bfbe');
    expect(
      pass(['x-three', '3', ...fields])
        .subarray(-4)
        .toString('hex'),
    ).toBe('c2c1c0bf');
  });

  it('a new value takes the index of its name, the static one before the dynamic', () => {
    const { pass } = pair();
    pass(['server', 'a', 'x-name', 'a']);
    expect(pass(['server', '!!', 'x-name', '!!']).toString('hex')).toBe(`7602${hex('!!')}7f0002${hex('!!')}`);
  });

  it('duplicates stay, in order', () => {
    const { pass } = pair();
    pass(['set-cookie', 'a=1', 'set-cookie', 'a=1', 'x', '1', 'x', '1', 'x', '2', 'x', '1', 'set-cookie', 'a=1']);
  });

  it.each([':path', 'age', 'content-length', 'etag', 'if-modified-since', 'if-none-match', 'location', 'set-cookie'])(
    '%s is sent as a literal, also when repeated, and evicts nothing',
    (name) => {
      const { pass } = pair();
      pass(['x-before', 'before']);
      const first = pass([name, '/first value']);
      expect(first[0]).toBeLessThan(0x10);
      for (let count = 0; count < 50; count++) {
        expect(pass([name, '/first value'])).toEqual(first);
        if (count > 3) pass([name, `/value ${count}`]);
      }
      expect(pass(['x-before', 'before']).toString('hex')).toBe('be');
    },
  );

  it('the date goes into the table: responses of one second share it', () => {
    const { pass } = pair();
    const date = ['date', 'Sat, 21 Nov 2026 13:48:14 GMT'];
    pass(date);
    expect(pass(date).toString('hex')).toBe('be');
  });

  it('what would fill most of the table does not', () => {
    const { pass } = pair();
    pass(['x-before', 'before']);
    expect(pass(['x-large', 'x'.repeat(3072 - 32 - 7 + 1)])[0]).toBe(0);
    expect(pass(['x-before', 'before']).toString('hex')).toBe('be');
    expect(pass(['x-large', 'x'.repeat(3072 - 32 - 7)])[0]).toBe(0x40);
  });

  it('evicted entries are not referred to', () => {
    const { pass } = pair();
    // Each counts 32 + 6 + 400 bytes: nine fit.
    const value = (index: number): string => String(index).padEnd(400, '.');
    for (let index = 0; index < 40; index++) pass([`name-${index % 10}`, value(index)]);
    for (let index = 39; index > 30; index--) expect(pass([`name-${index % 10}`, value(index)])).toHaveLength(1);
    expect(pass(['name-0', value(30)])[0]).toBe(0x40);
    expect(pass(['name-0', value(30)]).toString('hex')).toBe('be');
  });
});

describe('a never-indexed field', () => {
  it('credentials, short cookies and names that arrived so', () => {
    const { pass, decoder } = pair();
    const fields = [
      'authorization',
      'Basic YTpi',
      'proxy-authorization',
      'x',
      'cookie',
      'a=345678901234567890'.slice(1),
    ];
    for (let count = 0; count < 2; count++) {
      pass([...fields, 'x-key', 'secret', ':method', 'GET'], ['x-key', ':method']);
      expect(decoder.neverIndexed).toEqual(['authorization', 'proxy-authorization', 'cookie', 'x-key', ':method']);
    }
    expect(pass(['x-key', 'secret'])[0]).toBe(0x40);
  });

  it('longer cookies are not among them, unless they came so', () => {
    const { pass, decoder } = pair();
    const cookie = ['cookie', 'a=345678901234567890'];
    expect(pass(cookie)[0]).toBe(0x60);
    expect(decoder.neverIndexed).toBeNull();
    expect(pass(cookie).toString('hex')).toBe('be');
    pass(cookie, ['cookie']);
    expect(decoder.neverIndexed).toEqual(['cookie']);
  });

  it('many names', () => {
    const { pass, decoder } = pair();
    const names = Array.from({ length: 30 }, (_, index) => `x-${index}`);
    pass([...names.flatMap((name) => [name, '1']), 'x-other', '1'], names);
    expect(decoder.neverIndexed).toEqual(names);
  });
});

describe('bytes', () => {
  it('the shorter of both codes', () => {
    const { pass } = pair();
    expect(pass([':path', '/aaaa']).toString('hex')).toBe('0484606318ff');
    // '!' takes ten bits: raw is shorter; it is also used if both are equal.
    expect(pass([':path', '!!!!']).toString('hex')).toBe(`0404${hex('!!!!')}`);
    expect(pass([':path', 'X']).toString('hex')).toBe(`0401${hex('X')}`);
  });

  it('all of them, in names and values', () => {
    const { pass } = pair();
    const all = String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index));
    pass([all, all, 'x', all, ':path', all]);
    for (const char of all) pass([`x${char.repeat(7)}`, `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa${char}`, 'etag', char]);
    pass(['x', 'caf\xe9 \xff\x80']);
  });

  it('lengths around the borders of the integers, more than a slab, and none', () => {
    const { pass } = pair();
    for (const length of [0, 1, 126, 127, 128, 254, 255, 256, 16_383, 16_384, 16_511, 70_000]) {
      pass(['x-raw', '!'.repeat(length), 'x-coded', 'a'.repeat(length), 'n'.repeat(length), '1']);
    }
    expect(pass([])).toHaveLength(0);
  });

  it('a block stays as it is when others are written', () => {
    const encoder = new HpackEncoder();
    const blocks: Buffer[] = [];
    const copies: string[] = [];
    for (let index = 0; index < 3000; index++) {
      const block = encoder.encode([':path', `/path/${index}`, 'x-index', String(index)], null);
      blocks.push(block);
      copies.push(block.toString('hex'));
    }
    expect(blocks.map((block) => block.toString('hex'))).toEqual(copies);
  });

  it('a failed block leaves nothing for the next, on any connection', () => {
    const half = ['x-one', '1', 'x-two'];
    expect(() => new HpackEncoder().encode(half, null)).toThrow(TypeError);
    expect(pair().pass([':method', 'GET']).toString('hex')).toBe('82');
  });
});

describe('the size of the table', () => {
  it('is announced in the next block, once', () => {
    const { encoder, pass } = pair();
    const fields = ['x-one', '1', 'x-two', '2'];
    pass(fields);
    encoder.maxTableSize = 0;
    expect(pass(fields).subarray(0, 2).toString('hex')).toBe('2000');
    expect(pass(fields)[0]).toBe(0);
    encoder.maxTableSize = 100;
    expect(pass(fields).subarray(0, 3).toString('hex')).toBe('3f4540');
    expect(pass(fields).toString('hex')).toBe('bfbe');
  });

  it('where it went down and up between two blocks, the lowest and the last', () => {
    const { encoder, pass } = pair();
    const fields = ['x-one', '1', 'x-two', '2'];
    pass(fields);
    encoder.maxTableSize = 1000;
    encoder.maxTableSize = 40;
    encoder.maxTableSize = 4096;
    expect(pass(fields).subarray(0, 6).toString('hex')).toBe('3f093fe11f40');
    expect(pass(fields).toString('hex')).toBe('bebf');
    encoder.maxTableSize = 38;
    expect(pass(['x-one', '1']).toString('hex')).toBe('3f07be');
    encoder.maxTableSize = 4096;
    expect(pass(['x-one', '1']).toString('hex')).toBe('3fe11fbe');
  });

  it('a name that left the table and came back is found at its new place', () => {
    const { encoder, pass } = pair();
    pass(['x-one', '1']);
    encoder.maxTableSize = 0;
    pass([]);
    encoder.maxTableSize = 4096;
    pass([':method', 'GET', 'x-one', '1']);
    expect(pass(['x-one', '1']).toString('hex')).toBe('be');
    expect(pass(['x-one', '!']).toString('hex')).toBe('7e0121');
  });

  it('is at most 4096 bytes, even if the peer allows more', () => {
    const { encoder, pass } = pair();
    encoder.maxTableSize = 65_536;
    expect(pass([':method', 'GET']).toString('hex')).toBe('82');
    encoder.maxTableSize = 4096;
    expect(pass([':method', 'GET']).toString('hex')).toBe('82');
  });
});
