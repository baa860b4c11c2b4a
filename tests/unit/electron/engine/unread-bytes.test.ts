import { describe, expect, test } from 'vitest';
import { UnreadBytes } from '../../../../electron/engine/unread-bytes.ts';

describe('bytes of a socket without TLS', () => {
  test('that came alone between two looks arrived at their stamp', () => {
    const unread = new UnreadBytes(null);
    unread.found(100, 1005, 1003, true);
    expect(unread.take(100)).toBe(1005);
  });

  test('that came with others may have arrived right after the look before', () => {
    const unread = new UnreadBytes(null);
    unread.found(300, 1005, 1003, true);
    expect([unread.take(100), unread.take(100), unread.take(100)]).toEqual([1003, 1003, 1005]);
  });

  test('that came in two segments arrived in this order, each at its stamp', () => {
    const unread = new UnreadBytes(null);
    unread.found(100, 1004, 1003, true);
    unread.found(300, 1006, 1003, true);
    expect([unread.take(100), unread.take(100), unread.take(100)]).toEqual([1004, 1004, 1006]);
  });

  test('that an earlier look found keep its stamp', () => {
    const unread = new UnreadBytes(null);
    unread.found(100, 1004, 1003, true);
    unread.found(100, 1009, 1005, true);
    expect(unread.take(100)).toBe(1004);
  });

  test('of a reset connection are unknown', () => {
    const unread = new UnreadBytes(null);
    unread.lost();
    expect(unread.take(100)).toBeNull();
  });

  test('that nobody found came after the last look', () => {
    const unread = new UnreadBytes(null);
    expect(unread.take(10)).toBe('later');
    unread.found(100, 1005, 1003, true);
    expect([unread.take(100), unread.take(100)]).toEqual([1005, 'later']);
  });

  test('have the stamp of the look that found them first', () => {
    const unread = new UnreadBytes(null);
    unread.found(100, 1005, 1003, true);
    unread.found(250, 1007, 1006, true);
    expect([unread.take(100), unread.take(150)]).toEqual([1005, 1007]);
  });

  test('that were found after a part was read count behind it, in the next turn too', () => {
    const unread = new UnreadBytes(null);
    unread.take(500);
    unread.found(80, 1009, 1008, false);
    unread.polled();
    expect([unread.take(80), unread.take(10)]).toEqual([1009, 'later']);
  });

  test('that a poll left unread make the next ones unknown, until everything is read', () => {
    const unread = new UnreadBytes(null);
    unread.found(100, 1005, 1003, true);
    unread.polled();
    unread.polled();
    expect(unread.take(100)).toBeNull();
    unread.polled();
    expect(unread.take(100)).toBe('later');
  });

  test('that follow more than one read of the loop are unknown', () => {
    const unread = new UnreadBytes(null);
    unread.take(64 * 1024);
    unread.polled();
    expect(unread.take(100)).toBeNull();
    unread.polled();
    expect(unread.take(100)).toBe('later');
  });

  test('that many looks found keep the earliest of the last looks', () => {
    const unread = new UnreadBytes(null);
    for (let look = 1; look <= 20; look += 1) unread.found(look * 10, 1000 + look, 999 + look, true);
    for (let look = 1; look <= 15; look += 1) expect(unread.take(10)).toBe(1000 + look);
    expect([unread.take(10), unread.take(40)]).toEqual([1015, 1020]);
  });
});

test.each([
  ['TLSv1.3', 22],
  ['TLSv1.2', 29],
])('records of %s are longer than what they hold', (protocol, overhead) => {
  const unread = new UnreadBytes(protocol);
  unread.found(100 + overhead, 1005, 1003, true);
  unread.found(150 + 2 * overhead, 1007, 1006, true);
  expect([unread.take(100), unread.take(50), unread.take(1)]).toEqual([1005, 1007, 'later']);
});
