import { expect, test } from 'vitest';
import { sortValueOf } from '../../../../renderer/state/columns.ts';
import { ExchangeTable } from '../../../../renderer/state/exchange-table.ts';
import { Slices } from '../../../../renderer/state/slices.ts';
import { NO_TIMINGS } from '../../../../shared/model/timings.ts';
import { samplePage } from '../../../support/sample-inspector/sample-page.ts';
import { sampleCells } from '../../../support/sample-inspector/sample-rows.ts';

const rows = (...ids: number[]) => ids.map((id) => sampleCells(id));

/** A table whose arrangements never pause, however slow the machine is. */
const unhurried = () => new ExchangeTable(new Slices(() => 0));

test('the higher of two revisions stays, in either order', () => {
  const table = unhurried();
  table.apply([sampleCells(1, { revision: 3, status: 200 })]);
  table.apply([sampleCells(1, { revision: 2, status: 100 })]);
  expect(table.row(1)?.status).toBe(200);
  expect(table.size).toBe(1);
});

test('late rows are sorted by their order of arrival', () => {
  const table = unhurried();
  table.apply(rows(4, 6));
  table.apply(rows(7, 5));
  table.apply(rows(1));
  expect(table.visible).toEqual([1, 4, 5, 6, 7]);
});

test('the rows of pages show, and count, with the next drawing', () => {
  const table = unhurried();
  table.apply(rows(7, 8));
  table.addPage(samplePage(rows(1, 2, 3)));
  table.addPage(samplePage(rows(4, 5, 6, 7)));
  expect([table.visible, table.size]).toEqual([[7, 8], 2]);
  table.draw();
  expect([table.visible, table.size]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], 8]);
});

test('rows that wait for a drawing may change, be removed, or go with their session', () => {
  const table = unhurried();
  table.addPage(samplePage(rows(1, 2, 3)));
  table.apply([sampleCells(2, { revision: 9, status: 500 })]);
  expect([table.visible, table.size, table.row(2)?.status]).toEqual([[1, 2, 3], 3, 500]);
  table.addPage(samplePage(rows(4, 5)));
  table.edit({ removed: [{ first: 3, last: 4 }], marks: [] });
  expect([table.visible, table.size]).toEqual([[1, 2, 5], 3]);
  table.addPage(samplePage(rows(6)));
  table.reset('another');
  expect([table.visible, table.size]).toEqual([[], 0]);
});

test('a page with more rows than a call takes arguments finds its place', () => {
  const table = unhurried();
  table.apply(rows(1, 40_000));
  table.addPage(samplePage(rows(...Array.from({ length: 20_000 }, (_, index) => index + 2))));
  table.draw();
  expect(table.visible).toEqual([...Array.from({ length: 20_001 }, (_, index) => index + 1), 40_000]);
});

test('merging changed rows gives the same as sorting again', () => {
  const table = unhurried();
  const sorting = { key: 'total', descending: true, value: sortValueOf('total') };
  table.arrange({ matches: (row) => row.status < 400, sorting });
  table.apply(rows(...Array.from({ length: 200 }, (_, index) => index + 1)));
  table.apply([
    sampleCells(10, { revision: 2, timings: { ...NO_TIMINGS, wait: 9999 } }),
    sampleCells(20, { revision: 2, status: 500 }),
    sampleCells(300),
  ]);
  const merged = [...table.visible];
  table.arrange({ matches: (row) => row.status < 400, sorting });
  expect(merged).toEqual(table.visible);
  expect(merged[0]).toBe(10);
  expect(merged).not.toContain(20);
});

test('the timeline counts each exchange once and stays within its buckets', () => {
  const table = unhurried();
  table.apply(rows(...Array.from({ length: 20_000 }, (_, index) => index + 1)));
  table.apply([sampleCells(5, { revision: 2, state: 'failed' })]);
  const bars = table.timeline.bars();
  expect(bars.length).toBeLessThanOrEqual(161);
  expect(bars.reduce((sum, bar) => sum + bar.ok + bar.failed, 0)).toBe(20_000);
});

test('removed rows stay removed until they are restored', () => {
  const table = unhurried();
  table.apply(rows(1, 2, 3, 4));
  table.edit({ removed: [{ first: 2, last: 3 }], marks: [] });
  table.apply([sampleCells(3, { revision: 9 }), sampleCells(5)]);
  expect([table.visible, table.size]).toEqual([[1, 4, 5], 3]);
  table.edit({ removed: [], marks: [] });
  table.apply(rows(2, 3));
  expect(table.visible).toEqual([1, 2, 3, 4, 5]);
});

test('pinned rows stay at the top, regardless of the filter and the order', () => {
  const pinned = { pinned: true, colour: 'red' as const, note: '' };
  const table = unhurried();
  table.edit({ removed: [], marks: [{ id: 4, mark: pinned }] });
  table.apply(rows(1, 2));
  table.apply(rows(3, 4, 5));
  expect(table.visible).toEqual([4, 1, 2, 3, 5]);
  expect(table.row(4)?.colour).toBe('red');
  table.apply(rows(6));
  table.arrange({ matches: (row) => row.id > 4, sorting: { key: 'id', descending: true, value: sortValueOf('id') } });
  expect(table.visible).toEqual([4, 6, 5]);
  table.edit({ removed: [], marks: [] });
  expect([table.visible, table.row(4)?.colour]).toEqual([[6, 5], null]);
});

/** A table whose arrangements pause after each step, until `go`. */
function pausing() {
  const waiting: (() => void)[] = [];
  let now = 0;
  const table = new ExchangeTable(
    new Slices(
      () => (now += 100),
      (run) => waiting.push(run),
    ),
  );
  const go = () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) next();
  };
  return { table, go };
}

const MANY = Array.from({ length: 50 }, (_, index) => index + 1);
const DESCENDING = { key: 'id', descending: true, value: sortValueOf('id') };

test('the list keeps the previous order until the new one is computed, and shows changes meanwhile', () => {
  const { table, go } = pausing();
  table.apply(rows(...MANY));
  table.arrange({ matches: (row) => row.id !== 7, sorting: DESCENDING });
  expect([table.arranging, table.visible]).toEqual([true, MANY]);
  table.apply(rows(51));
  expect(table.visible.at(-1)).toBe(51);
  go();
  const expected = [...MANY, 51].filter((id) => id !== 7).reverse();
  expect([table.arranging, table.visible, table.changes.getState().arrangement]).toEqual([false, expected, 1]);
});

test('a newer choice replaces one that is being computed', () => {
  const { table, go } = pausing();
  table.apply(rows(...MANY));
  table.arrange({ matches: (row) => row.id < 3, sorting: null });
  table.arrange({ matches: (row) => row.id > 48, sorting: DESCENDING });
  go();
  expect([table.visible, table.changes.getState().arrangement]).toEqual([[50, 49], 1]);
});

test('an edit and another session keep the order that is being computed', () => {
  const { table, go } = pausing();
  table.apply(rows(...MANY));
  table.arrange({ matches: () => true, sorting: DESCENDING });
  table.edit({ removed: [{ first: 1, last: 48 }], marks: [] });
  expect(table.visible).toEqual([49, 50]);
  go();
  expect(table.visible).toEqual([50, 49]);
  table.arrange({ matches: (row) => row.id > 1, sorting: null });
  table.reset('another');
  table.apply(rows(1, 2, 3));
  go();
  expect(table.visible).toEqual([2, 3]);
});

test('a row is the same object until it changes', () => {
  const table = new ExchangeTable();
  table.apply(rows(1, 2));
  const [one, two] = [table.row(1), table.row(2)];
  table.apply([sampleCells(2, { revision: 2 })]);
  expect(table.row(1)).toBe(one);
  expect(table.row(2)).not.toBe(two);
});
