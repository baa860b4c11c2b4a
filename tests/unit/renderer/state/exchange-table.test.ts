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
