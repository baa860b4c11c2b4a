import { describe, expect, it } from 'vitest';
import { HeaderAssembly, HeadTooLarge } from '../../../../../electron/engine/http2/header-assembly.ts';

const END_STREAM = 0x1;
const END_HEADERS = 0x4;
const PADDED = 0x8;
const PRIORITY = 0x20;
const of = (...bytes: (number | string)[]): Buffer =>
  Buffer.concat(bytes.map((each) => (typeof each === 'string' ? Buffer.from(each) : Buffer.from([each]))));

describe('HEADERS that are whole', () => {
  it.each([
    ['alone', 0, of('block'), { bytes: 'block', dependsOn: 0 }],
    ['empty', 0, of(), { bytes: '', dependsOn: 0 }],
    ['padded', PADDED, of(2, 'block', 0, 0), { bytes: 'block', dependsOn: 0 }],
    ['nothing but padding', PADDED, of(2, 0, 0), { bytes: '', dependsOn: 0 }],
    ['with a priority', PRIORITY, of(0, 0, 0, 7, 16, 'block'), { bytes: 'block', dependsOn: 7 }],
    ['with an exclusive one', PRIORITY, of(0x80, 0, 0, 7, 16, 'block'), { bytes: 'block', dependsOn: 7 }],
    ['with both', PADDED | PRIORITY, of(1, 0, 0, 0, 9, 16, 'block', 0), { bytes: 'block', dependsOn: 9 }],
  ])('%s', (_what, flags, payload, { bytes, dependsOn }) => {
    const block = new HeaderAssembly(100).headers(3, flags | END_HEADERS | END_STREAM, payload);
    expect({ ...block, bytes: block?.bytes.toString() }).toEqual({ stream: 3, endStream: true, bytes, dependsOn });
  });
});

describe('invalid HEADERS', () => {
  it.each([
    ['padding of no length', PADDED, of(), 1],
    ['padding longer than the frame', PADDED, of(2, 0), 1],
    ['padding that reaches into the priority', PADDED | PRIORITY, of(2, 0, 0, 0, 9, 16, 0), 1],
    ['half a priority', PRIORITY, of(0, 0, 0, 7), 6],
    ['half a priority behind a padding length', PADDED | PRIORITY, of(0, 0, 0, 0, 7), 6],
  ])('%s', (_what, flags, payload, code) => {
    const attempt = (): unknown => new HeaderAssembly(100).headers(3, flags | END_HEADERS, payload);
    expect(attempt).toThrow(expect.objectContaining({ code }));
  });
});

describe('CONTINUATION', () => {
  it('joins the pieces, empty ones too, and is open only between them', () => {
    const assembly = new HeaderAssembly(100);
    expect(assembly.isOpen).toBe(false);
    expect(assembly.headers(5, END_STREAM | PADDED, of(1, 'one ', 0))).toBeNull();
    expect(assembly.isOpen).toBe(true);
    expect(assembly.continuation(5, 0, of(''))).toBeNull();
    expect(assembly.continuation(5, 0, of('two '))).toBeNull();
    const block = assembly.continuation(5, END_HEADERS, of('three'));
    expect(block?.bytes.toString()).toBe('one two three');
    expect(block?.endStream).toBe(true);
    expect(assembly.isOpen).toBe(false);
    expect(assembly.headers(7, END_HEADERS, of('next'))?.bytes.toString()).toBe('next');
  });

  it('of nothing, or of another stream, is an error', () => {
    const assembly = new HeaderAssembly(100);
    expect(() => assembly.continuation(1, END_HEADERS, of(''))).toThrow(expect.objectContaining({ code: 1 }));
    assembly.headers(1, 0, of('x'));
    expect(() => assembly.continuation(3, END_HEADERS, of(''))).toThrow(expect.objectContaining({ code: 1 }));
  });

  it('over the limit is too large, by one byte', () => {
    const fits = new HeaderAssembly(10);
    fits.headers(1, 0, of('12345'));
    expect(fits.continuation(1, END_HEADERS, of('67890'))?.bytes).toHaveLength(10);
    const over = new HeaderAssembly(10);
    over.headers(1, 0, of('12345'));
    expect(() => over.continuation(1, END_HEADERS, of('678901'))).toThrow(HeadTooLarge);
  });

  it('is a flood in small pieces: 127 pass, the 128th does not', () => {
    const assembly = new HeaderAssembly(100_000);
    assembly.headers(1, 0, of(''));
    for (let count = 0; count < 127; count += 1) assembly.continuation(1, 0, of(''));
    expect(() => assembly.continuation(1, END_HEADERS, of(''))).toThrow(expect.objectContaining({ code: 11 }));
  });
});
