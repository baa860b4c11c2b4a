import { describe, expect, it } from 'vitest';
import { EventScanner } from '../../../../shared/format/event-scanner.ts';

function events(text: string, step: number): string[] {
  const bytes = Buffer.from(text);
  const scanner = new EventScanner(0);
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at += step) {
    scanner.scan(bytes.subarray(at, at + step), ({ start, stop }) => found.push(bytes.toString('utf8', start, stop)));
  }
  return found;
}

describe.each([1, 2, 3, 5, 1000])('EventScanner, reads of %i bytes', (step) => {
  it.each([
    ['LF', 'data: 1\n\ndata: 2\ndata: 3\n\n', ['data: 1\n\n', 'data: 2\ndata: 3\n\n']],
    ['CRLF', 'data: 1\r\n\r\n: c\r\n\r\n', ['data: 1\r\n\r\n', ': c\r\n\r\n']],
    ['empty lines between', '\n\ndata: 1\n\n\n\ndata: 2\n\n', ['data: 1\n\n', 'data: 2\n\n']],
    ['an event that never ends', 'data: 1\n\ndata: 2\n', ['data: 1\n\n']],
    ['letters of more bytes', 'data: \u4f60\u00e9\n\n', ['data: \u4f60\u00e9\n\n']],
    ['a line of one letter', 'd\n\n', ['d\n\n']],
  ])('%s', (_name, text, expected) => {
    expect(events(text, step)).toEqual(expected);
  });
});
