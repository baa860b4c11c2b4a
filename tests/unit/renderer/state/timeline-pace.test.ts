import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { CHART_SHARE, DrawingPace } from '../../../../renderer/state/drawing-pace.ts';
import { ExchangeTable } from '../../../../renderer/state/exchange-table.ts';
import { TimelinePace } from '../../../../renderer/state/timeline-pace.ts';
import { sampleCells } from '../../../support/sample-inspector/sample-rows.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** A chart of `table`: how many requests each drawing of it had, and when that was. Drawing costs nothing here. */
function drawings(table: ExchangeTable): { at: number; requests: number }[] {
  table.finish();
  return drawingsWhileRead(table);
}

/** The same of a table whose rows are still being read. */
function drawingsWhileRead(table: ExchangeTable): { at: number; requests: number }[] {
  const began = performance.now();
  const drawn: { at: number; requests: number }[] = [];
  const pace = new DrawingPace(CHART_SHARE, () => performance.now(), queueMicrotask);
  const end = new TimelinePace(table, pace, (bars) => {
    const requests = bars.reduce((sum, { ok, failed }) => sum + ok + failed, 0);
    drawn.push({ at: performance.now() - began, requests });
  }).start();
  onTestFinished(end);
  return drawn;
}

let id = 0;

async function receive(table: ExchangeTable, count: number): Promise<void> {
  table.rush.add(count);
  table.apply(Array.from({ length: count }, () => sampleCells(++id)));
  await vi.advanceTimersByTimeAsync(0);
}

/** As a page loads: 20 rows each 50 milliseconds. */
async function load(table: ExchangeTable, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 50) {
    await receive(table, 20);
    await vi.advanceTimersByTimeAsync(50);
  }
}

test('the first bars are drawn at once, later ones within a second', async () => {
  const table = new ExchangeTable();
  const drawn = drawings(table);
  await receive(table, 1);
  expect(drawn.at(-1)).toEqual({ at: 0, requests: 1 });
  await vi.advanceTimersByTimeAsync(10_000);
  await receive(table, 1);
  expect(drawn.at(-1)?.requests).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(drawn.at(-1)).toEqual({ at: 11_000, requests: 2 });
});

test('a loading page is drawn once it has loaded', async () => {
  const table = new ExchangeTable();
  const drawn = drawings(table);
  await receive(table, 1);
  await vi.advanceTimersByTimeAsync(10_000);
  const before = drawn.length;
  await load(table, 3000);
  expect(drawn).toHaveLength(before);
  await vi.advanceTimersByTimeAsync(1000);
  expect(drawn.slice(before)).toMatchObject([{ requests: 1201 }]);
});

test('constant traffic is drawn every five seconds', async () => {
  const table = new ExchangeTable();
  const drawn = drawings(table);
  await receive(table, 1);
  const before = drawn.length;
  await load(table, 21_000);
  expect(drawn.length - before).toBe(4);
});

test('a cleared session leaves no bar', async () => {
  const table = new ExchangeTable();
  const drawn = drawings(table);
  await load(table, 2000);
  table.reset('another');
  await vi.advanceTimersByTimeAsync(0);
  expect(drawn.at(-1)?.requests).toBe(0);
  table.finish();
  await receive(table, 1);
  expect(drawn.at(-1)?.requests).toBe(1);
});

test('while a session is read, the first bars wait for its last row', async () => {
  const table = new ExchangeTable();
  await receive(table, 500);
  const drawn = drawingsWhileRead(table);
  await vi.advanceTimersByTimeAsync(300);
  await receive(table, 500);
  expect(drawn).toEqual([]);
  await vi.advanceTimersByTimeAsync(300);
  table.finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(drawn).toEqual([{ at: 600, requests: 1000 }]);
});

test('if reading takes long, the first bars are drawn after a second', async () => {
  const table = new ExchangeTable();
  await receive(table, 100);
  const drawn = drawingsWhileRead(table);
  for (let pages = 0; pages < 6; pages += 1) {
    await vi.advanceTimersByTimeAsync(300);
    await receive(table, 100);
  }
  expect(drawn[0]).toEqual({ at: 1000, requests: 400 });
});
