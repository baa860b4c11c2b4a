import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Feed } from '../../../../electron/feed/feed.ts';
import { summaryRow } from '../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';
import { type ReceivedBatch, received } from '../../../support/received-batch.ts';

let batches: ReceivedBatch[];
let feed: Feed;

beforeEach(() => {
  vi.useFakeTimers();
  batches = [];
  feed = new Feed({ sessionId: 'a', send: (batch) => batches.push(received(batch)), batchRows: 3 });
  feed.wanted = true;
});

afterEach(() => {
  vi.useRealTimers();
});

const idsOf = (batch: ReceivedBatch | undefined) => batch?.rows.map((row) => row.id);

test('without subscribers, nothing is kept, nothing is sent, no timer runs', () => {
  feed.wanted = false;
  feed.touched(exampleExchange());
  expect(vi.getTimerCount()).toBe(0);
  feed.wanted = true;
  vi.runAllTimers();
  expect(batches).toEqual([]);
});

test('changes within a frame make one batch, each exchange one row in its latest version', () => {
  const exchange = exampleExchange({ id: 7, state: 'open', response: null });
  feed.touched(exchange);
  exchange.response = exampleExchange().response;
  exchange.revision = 2;
  feed.touched(exchange);
  feed.touched(exampleExchange({ id: 8 }));
  expect(batches).toEqual([]);
  vi.advanceTimersByTime(16);
  expect(batches).toHaveLength(1);
  expect(batches[0]).toMatchObject({
    sessionId: 'a',
    sequence: 1,
    at: Date.now(),
    rows: [{ id: 7, revision: 2, status: 200 }, { id: 8 }],
  });
  vi.runAllTimers();
  expect(batches).toHaveLength(1);
});

test('more rows than a batch takes go with the next frames, numbered without a gap', () => {
  for (let id = 1; id <= 7; id++) feed.touched(exampleExchange({ id }));
  vi.advanceTimersByTime(16);
  expect(batches.map(idsOf)).toEqual([[1, 2, 3]]);
  vi.advanceTimersByTime(32);
  expect(batches.map(idsOf)).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  expect(batches.map((batch) => batch.sequence)).toEqual([1, 2, 3]);
  expect(feed.sequence).toBe(3);
});

test('a busy feed sends five batches a second; a quiet one sends with each frame', () => {
  feed = new Feed({ sessionId: 'a', send: (batch) => batches.push(received(batch)) });
  feed.wanted = true;
  for (let id = 1; id <= 20; id++) feed.touched(exampleExchange({ id }));
  vi.advanceTimersByTime(16);
  feed.touched(exampleExchange({ id: 21 }));
  vi.advanceTimersByTime(199);
  expect(batches).toHaveLength(1);
  vi.advanceTimersByTime(1);
  feed.touched(exampleExchange({ id: 22 }));
  vi.advanceTimersByTime(16);
  expect(batches.slice(1).map(idsOf)).toEqual([[21], [22]]);
});

test('a row that waits for the next frame is sent as it is then', () => {
  for (let id = 1; id <= 3; id++) feed.touched(exampleExchange({ id }));
  const late = exampleExchange({ id: 4, revision: 1 });
  feed.touched(late);
  vi.advanceTimersByTime(16);
  late.revision = 9;
  vi.advanceTimersByTime(16);
  expect(batches[1]?.rows[0]).toMatchObject({ id: 4, revision: 9 });
});

test('a cleared session: what waited is not sent, what follows carries the new id and the next number', () => {
  feed.touched(exampleExchange({ id: 1 }));
  vi.advanceTimersByTime(16);
  feed.touched(exampleExchange({ id: 2 }));
  feed.reset('b');
  feed.touched(exampleExchange({ id: 3 }));
  vi.runAllTimers();
  expect(batches.map((batch) => [batch.sessionId, batch.sequence, ...(idsOf(batch) ?? [])])).toEqual([
    ['a', 1, 1],
    ['b', 2, 3],
  ]);
});

test('without a subscriber waiting batches are dropped, and the numbers continue', () => {
  feed.touched(exampleExchange({ id: 1 }));
  vi.advanceTimersByTime(16);
  feed.touched(exampleExchange({ id: 2 }));
  feed.wanted = false;
  vi.runAllTimers();
  feed.wanted = true;
  feed.touched(exampleExchange({ id: 3 }));
  vi.runAllTimers();
  expect(batches.map(idsOf)).toEqual([[1], [3]]);
  expect(feed.sequence).toBe(2);
});

test('the last row of an ended exchange is sent once', () => {
  const exchange = exampleExchange({ id: 7, revision: 1 });
  feed.touched(exchange);
  feed.ended(exchange, JSON.stringify(summaryRow({ ...exchange, revision: 2 })));
  vi.runAllTimers();
  expect(batches).toMatchObject([{ rows: [{ id: 7, revision: 2 }] }]);
  feed.ended(exchange, JSON.stringify(summaryRow(exchange)));
  feed.wanted = false;
  feed.wanted = true;
  vi.runAllTimers();
  expect(batches).toHaveLength(1);
});

test('a rush of rows is sent five times a second, and a single row after it at once', () => {
  const sentIn = (ms: number, rowEach: number): number => {
    const before = batches.length;
    for (let passed = 0; passed < ms; passed += rowEach) {
      feed.touched(exampleExchange({ id: batches.length * 100 + passed }));
      vi.advanceTimersByTime(rowEach);
    }
    return batches.length - before;
  };
  feed = new Feed({ sessionId: 'a', send: (batch) => batches.push(received(batch)) });
  feed.wanted = true;
  expect(sentIn(96, 8)).toBe(6);
  sentIn(1000, 8);
  expect(sentIn(1000, 8)).toBe(5);
  vi.advanceTimersByTime(3000);
  expect(sentIn(16, 16)).toBe(1);
});
