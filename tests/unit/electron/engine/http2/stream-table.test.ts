import { describe, expect, it } from 'vitest';
import { Http2Stream, type StreamCarrier } from '../../../../../electron/engine/http2/stream.ts';
import { StreamTable } from '../../../../../electron/engine/http2/stream-table.ts';

const CARRIER: StreamCarrier = {
  ...{ now: 0, sendHead: () => {}, wantsToSend: () => {}, sendReset: () => {}, lost: () => {} },
  ...{ sendWindowUpdate: () => {}, consumed: () => {}, internalError: () => {}, over: () => {} },
};
const stream = (id: number): Http2Stream => new Http2Stream(id, CARRIER, 1, 1);

describe('ids (RFC 9113, section 5.1.1)', () => {
  it('a client opens odd ones upward, until they are used up', () => {
    const table = new StreamTable(false);
    expect([table.nextId(), table.nextId(), table.nextId()]).toEqual([1, 3, 5]);
    expect([1, 3, 5, 7, 2].map((id) => table.isIdle(id))).toEqual([false, false, false, true, true]);
    expect(table.hasIds).toBe(true);
  });

  it('ids above the last are idle to a server', () => {
    const table = new StreamTable(true);
    expect(table.isIdle(1)).toBe(true);
    table.lastOfPeer = 5;
    expect([1, 3, 5, 7, 2, 4, 6].map((id) => table.isIdle(id))).toEqual([false, false, false, true, true, true, true]);
  });
});

it('holds open streams, and releases each once', () => {
  const table = new StreamTable(true);
  const [one, three] = [stream(1), stream(3)];
  table.add(one);
  table.add(three);
  expect([table.size, table.get(1), table.get(5)]).toEqual([2, one, undefined]);
  for (const each of table.all()) table.end(each.id);
  table.end(1);
  expect([table.size, table.endedLately(1), table.endedLately(3), table.endedLately(5)]).toEqual([
    0,
    true,
    true,
    false,
  ]);
});

it('remembers the last 64 that ended', () => {
  const table = new StreamTable(true);
  for (let id = 1; id <= 131; id += 2) {
    table.add(stream(id));
    table.end(id);
  }
  expect([1, 3, 5, 131].map((id) => table.endedLately(id))).toEqual([false, false, true, true]);
});

it('remembers the latest 10,000 that we reset', () => {
  const table = new StreamTable(true);
  for (let count = 0; count < 10_001; count += 1) table.rememberReset(count * 2 + 1);
  expect([1, 3, 20_001, 20_003].map((id) => table.wasReset(id))).toEqual([false, true, true, false]);
});

it('streams whose ids are far apart do not take each other’s place', () => {
  const table = new StreamTable(true);
  const long = stream(1);
  table.add(long);
  const others = Array.from({ length: 700 }, (_, index) => stream(3 + index * 2));
  for (const each of others) table.add(each);
  expect(table.all()).toHaveLength(701);
  for (const each of others) expect(table.get(each.id)).toBe(each);
  for (const each of others) table.end(each.id);
  expect([table.size, table.all()]).toEqual([1, [long]]);
  expect([table.get(1), table.get(513)]).toEqual([long, undefined]);
});
