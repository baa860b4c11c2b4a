import { describe, expect, it } from 'vitest';
import { FramingError } from '../../../../../electron/engine/http/h1-head.ts';
import { findOddHeadEnd, repairHead } from '../../../../../electron/engine/http/h1-odd-head.ts';

describe('where a head with bare LFs ends', () => {
  it.each([
    ['A\nB: c\n\nbody', 8],
    ['A\r\nB: c\n\r\nbody', 10],
    ['A\nB: c\r\n\nbody\r\n\r\n', 9],
    ['A\nB: c\n\r', -1],
    ['A\nB: c\n \n', -1],
    ['\n', 1],
    ['', -1],
  ])('%j: %d', (text, end) => {
    expect(findOddHeadEnd(Buffer.from(text), 100)).toBe(end);
  });

  it('enforces the limit to the byte', () => {
    const head = Buffer.from('A\nB: c\n\n');
    expect(findOddHeadEnd(head, head.length)).toBe(head.length);
    expect(() => findOddHeadEnd(head, head.length - 1)).toThrow(expect.objectContaining({ tooLarge: true }));
    expect(() => findOddHeadEnd(Buffer.from('A'.repeat(20)), 19)).toThrow(expect.objectContaining({ tooLarge: true }));
  });
});

describe('a repaired head', () => {
  it.each([
    ['S\r\nA: b\r\n c\r\n\td\r\n\r\n', 'S\r\nA: b c d\r\n\r\n', ['a folded field']],
    ['S\nA: b\n\n', 'S\r\nA: b\r\n\r\n', ['a line that ends in a bare LF']],
    ['S\r\nA \t: b\r\nC : d\r\n\r\n', 'S\r\nA: b\r\nC: d\r\n\r\n', ['a space before a colon']],
    ['S\r\nA: b : c\r\n\r\n', 'S\r\nA: b : c\r\n\r\n', []],
    ['HTTP/1.1  200 \t OK\r\n\r\n', 'HTTP/1.1 200 OK\r\n\r\n', ['white space in the status line']],
    ['HTTP/1.1 200  OK\r\n\r\n', 'HTTP/1.1 200  OK\r\n\r\n', []],
    ['S\r\nX y: p@ss\r\nA: b\r\n\r\n', 'S\r\nA: b\r\n\r\n', ['a field without a valid name ("X")']],
    ['S\r\nX\r\n\r\n', 'S\r\nX\r\n\r\n', []],
    // Lenient parsers may read a length.
    ['S\r\nContent Length: 5\r\n\r\n', 'S\r\nContent Length: 5\r\n\r\n', []],
    ['S\r\nContent-Length 5\r\n\r\n', 'S\r\nContent-Length 5\r\n\r\n', []],
    ['S\r\n\xa0Transfer_Encoding: x\r\n\r\n', 'S\r\n\xa0Transfer_Encoding: x\r\n\r\n', []],
    // The strict reader refuses what it can't repair.
    ['S\r\nA\x0b: b\r\r\n\r\n', 'S\r\nA\x0b: b\r\r\n\r\n', []],
  ])('%j', (text, repaired, faults) => {
    expect(repairHead(text)).toEqual({ text: repaired, faults });
  });

  it.each([
    'S\r\n A: b\r\n\r\n',
    'S: x\r\n A: b\r\n\r\n',
    ' S\r\n\r\n',
    'S\r\nA\r\n : b\r\n\r\n',
    'S\r\nA: b\r\nX y: z\r\n c\r\n\r\n',
  ])('a fold outside a value is ambiguous: %j', (text) => {
    expect(() => repairHead(text)).toThrow(FramingError);
  });

  it('takes time linear in the number of spaces', () => {
    const folds = `S\r\nA: b\r\n${`${' '.repeat(20_000)}x\r\n`.repeat(40)}\r\n`;
    expect(repairHead(folds).text).toBe(`S\r\nA: b${' x'.repeat(40)}\r\n\r\n`);
  });
});
