import { afterEach, expect, test, vi } from 'vitest';
import { ExchangeTable } from '../../../../renderer/state/exchange-table.ts';
import { HostClock } from '../../../../renderer/state/host-clock.ts';
import { createWindowStore } from '../../../../renderer/state/window-state.ts';
import { FeedSync } from '../../../../renderer/sync/feed-sync.ts';
import type { PayloadOf } from '../../../../shared/contract/events.ts';
import type { InspectorApi } from '../../../../shared/contract/inspector-api.ts';
import type { SessionEdits } from '../../../../shared/model/edits/session-edits.ts';
import type { SummaryRow } from '../../../../shared/model/exchange-summary.ts';
import { samplePage } from '../../../support/sample-inspector/sample-page.ts';
import { sampleCells } from '../../../support/sample-inspector/sample-rows.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

const NO_EDITS: SessionEdits = { removed: [], marks: [] };

afterEach(() => vi.useRealTimers());

/**
 * A host whose stored rows and answers the test decides. `failing`: calls that fail, each as often as it is named;
 * `more`: there are older rows.
 */
function start(stored: SummaryRow[], failing: string[] = [], more = false) {
  const calls: string[] = [];
  let feed: (batch: PayloadOf<'feed.batch'>) => void = () => {};
  let connection: (connected: boolean) => void = () => {};
  const session = { id: 's1', path: '/tmp/s', exchanges: 0, bytes: 0 };
  const api = {
    request: async (name: string) => {
      calls.push(name);
      if (failing.includes(name)) throw new Error(`${failing.splice(failing.indexOf(name), 1)} failed`);
      const newest = { ...samplePage(stored), last: 0, more, badRows: 0 };
      return name === 'feed.open' ? { session, sequence: 0, at: 5000, edits: NO_EDITS, newest } : newest;
    },
    on: (event: string, listener: (batch: PayloadOf<'feed.batch'>) => void) => {
      if (event === 'feed.batch') feed = listener;
      return () => {};
    },
    onConnection: (listener: (connected: boolean) => void) => {
      connection = listener;
      listener(true);
      return () => {};
    },
  } as unknown as InspectorApi;
  const table = new ExchangeTable();
  const clock = new HostClock(() => 7000);
  const store = createWindowStore();
  new FeedSync(api, table, store, { clock, nextFrame: (run) => setImmediate(run) }).start();
  const send = (sequence: number, rows: SummaryRow[], sessionId = 's1') =>
    feed({ sessionId, sequence, at: 5200, rows, badRows: 0 });
  return { table, calls, send, clock, store, connect: (connected: boolean) => connection(connected) };
}

test('a batch that arrives before the reply to the subscription is not lost, and its newer row stays', async () => {
  const { table, send } = start([sampleCells(1), sampleCells(2)]);
  send(1, [sampleCells(2, { revision: 5, status: 201 }), sampleCells(3)]);
  await settle();
  await settle();
  expect(table.visible).toEqual([1, 2, 3]);
  expect(table.row(2)?.status).toBe(201);
});

test('many rows are applied over several frames and drawn once', async () => {
  const { table, send } = start([sampleCells(1)]);
  await settle();
  const drawn: number[] = [];
  table.changes.subscribe(() => drawn.push(table.visible.length));
  const ids = Array.from({ length: 2500 }, (_, index) => index + 2);
  send(
    1,
    ids.map((id) => sampleCells(id)),
  );
  for (let frames = 0; frames < 4; frames += 1) await settle();
  expect(drawn).toEqual([2501]);
});

test('rows that arrive without end are drawn now and then', async () => {
  const { table, send } = start([]);
  await settle();
  const drawn: number[] = [];
  table.changes.subscribe(() => drawn.push(table.visible.length));
  for (let batch = 1; batch <= 22; batch += 1) {
    send(
      batch,
      Array.from({ length: 1000 }, (_, index) => sampleCells(batch * 1000 + index)),
    );
    await settle();
  }
  expect(drawn).toEqual([21_000]);
});

test('a gap in the sequence makes the window subscribe and read again', async () => {
  const { calls, send } = start([sampleCells(1)]);
  await settle();
  send(1, []);
  const before = calls.length;
  send(3, [sampleCells(4)]);
  await settle();
  expect(calls.slice(before)).toEqual(['feed.open']);
});

test('a batch of another session is dropped', async () => {
  const { table, send } = start([sampleCells(1)]);
  await settle();
  send(1, [sampleCells(9)], 'gone');
  await settle();
  expect(table.row(9)).toBeUndefined();
});

test("the subscription and each batch carry the host's time", async () => {
  const { send, clock } = start([]);
  await settle();
  expect(clock.now()).toBe(5000);
  send(1, []);
  expect(clock.now()).toBe(5200);
});

test('a subscription that fails is repeated with growing pauses until the rows are read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { table, calls, store, send } = start([sampleCells(2)], ['feed.open', 'feed.open', 'exchanges.rows'], true);
  await settle();
  expect(calls).toEqual(['feed.open']);
  vi.advanceTimersByTime(249);
  expect(calls).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await settle();
  expect(calls).toHaveLength(2);
  vi.advanceTimersByTime(500);
  await settle();
  expect(calls.slice(2)).toEqual(['feed.open', 'exchanges.rows']);
  expect(store.getState().loaded).toBe(false);
  vi.advanceTimersByTime(1000);
  await settle();
  expect(store.getState().loaded).toBe(true);
  expect(table.visible).toEqual([2]);
  send(1, [sampleCells(3)]);
  await settle();
  await settle();
  expect(table.visible).toEqual([2, 3]);
  expect(vi.getTimerCount()).toBe(0);
  expect(store.getState().problems).toEqual(['feed.open failed']);
});

test('a new connection replaces the repetition of a subscription that failed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { calls, connect } = start([], ['feed.open']);
  await settle();
  connect(false);
  vi.advanceTimersByTime(60_000);
  await settle();
  expect(calls).toEqual(['feed.open']);
  connect(true);
  await settle();
  expect(calls).toEqual(['feed.open', 'feed.open']);
});
