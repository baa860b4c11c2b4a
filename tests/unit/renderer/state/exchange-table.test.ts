import { expect, test } from 'vitest';
import { compareBy } from '../../../../renderer/state/columns.ts';
import { ExchangeTable } from '../../../../renderer/state/exchange-table.ts';
import { sampleRow } from '../../../support/sample-inspector/sample-rows.ts';

const rows = (...ids: number[]) => ids.map((id) => sampleRow(id));

test('of two versions the higher revision stays, whatever comes first', () => {
  const table = new ExchangeTable();
  table.apply([sampleRow(1, { revision: 3, status: 200 })]);
  table.apply([sampleRow(1, { revision: 2, status: 100 })]);
  expect(table.row(1)?.status).toBe(200);
  expect(table.size).toBe(1);
});

test('rows that come late take their place in the order of arrival', () => {
  const table = new ExchangeTable();
  table.apply(rows(4, 6));
  table.apply(rows(7, 5));
  table.apply(rows(1));
  expect(table.visible).toEqual([1, 4, 5, 6, 7]);
});

test('merging changed rows gives what sorting anew would', () => {
  const table = new ExchangeTable();
  const sorting = { key: 'total', descending: true, compare: compareBy('total') };
  table.arrange((row) => row.status < 400, sorting);
  table.apply(rows(...Array.from({ length: 200 }, (_, index) => index + 1)));
  table.apply([
    sampleRow(10, { revision: 2, total: 9999 }),
    sampleRow(20, { revision: 2, status: 500 }),
    sampleRow(300),
  ]);
  const merged = [...table.visible];
  table.arrange((row) => row.status < 400, sorting);
  expect(merged).toEqual(table.visible);
  expect(merged[0]).toBe(10);
  expect(merged).not.toContain(20);
});

test('the timeline counts each exchange once and stays within its buckets', () => {
  const table = new ExchangeTable();
  table.apply(rows(...Array.from({ length: 20_000 }, (_, index) => index + 1)));
  table.apply([sampleRow(5, { revision: 2, state: 'failed' })]);
  const bars = table.timeline.bars();
  expect(bars.length).toBeLessThanOrEqual(161);
  expect(bars.reduce((sum, bar) => sum + bar.ok + bar.failed, 0)).toBe(20_000);
});

test('removed rows are gone and stay so, and come back when they are restored', () => {
  const table = new ExchangeTable();
  table.apply(rows(1, 2, 3, 4));
  table.edit({ removed: [{ first: 2, last: 3 }], marks: [] });
  table.apply([sampleRow(3, { revision: 9 }), sampleRow(5)]);
  expect([table.visible, table.size]).toEqual([[1, 4, 5], 3]);
  table.edit({ removed: [], marks: [] });
  table.apply(rows(2, 3));
  expect(table.visible).toEqual([1, 2, 3, 4, 5]);
});

test('pinned rows stay at the top, whatever the filter and the order', () => {
  const pinned = { pinned: true, colour: 'red' as const, note: '' };
  const table = new ExchangeTable();
  table.edit({ removed: [], marks: [{ id: 4, mark: pinned }] });
  table.apply(rows(1, 2));
  table.apply(rows(3, 4, 5));
  expect(table.visible).toEqual([4, 1, 2, 3, 5]);
  expect(table.row(4)?.colour).toBe('red');
  table.apply(rows(6));
  table.arrange((row) => row.id > 4, { key: 'id', descending: true, compare: compareBy('id') });
  expect(table.visible).toEqual([4, 6, 5]);
  table.edit({ removed: [], marks: [] });
  expect([table.visible, table.row(4)?.colour]).toEqual([[6, 5], null]);
});
