import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHUNK_ROWS } from '../../../../../renderer/state/rows/cell-column.ts';
import { RowStore } from '../../../../../renderer/state/rows/row-store.ts';
import { compileFilter } from '../../../../../shared/filter/compile.ts';
import { samplePage } from '../../../../support/sample-inspector/sample-page.ts';
import { sampleCells, sampleRow } from '../../../../support/sample-inspector/sample-rows.ts';

const SAMPLE = sampleRow(1);

/** Rows whose cells are of every kind that a column may meet: integers and fractions, large numbers, texts and null. */
const anyRow = fc
  .record({
    id: fc.oneof(fc.nat(50), fc.nat(3 * CHUNK_ROWS), fc.maxSafeNat()),
    revision: fc.nat(3),
    status: fc.constantFrom(0, 200, 404),
    // JSON has neither infinity nor a negative zero.
    startedAt: fc.double({ noNaN: true, noDefaultInfinity: true }).map((time) => time + 0),
    responseSize: fc.oneof(fc.nat(9), fc.constant(2 ** 31), fc.maxSafeNat()),
    path: fc.constantFrom('/', '/a', '/b?c=d', ''),
    failureCode: fc.constantFrom(null, 'upstream.reset'),
    timings: fc.record({ wait: fc.constantFrom(-1, 0, 1, 0.5, 1e9) }).map(({ wait }) => ({ ...SAMPLE.timings, wait })),
  })
  .map(({ id, ...change }) => sampleRow(id, { ...change, ttfb: change.timings.wait }));

test('rows are read as they were set, one by one or as a page, in place of those with the same id', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 60 }), fc.nat(60), (rows, single) => {
      const store = new RowStore();
      const expected = new Map(rows.map((row) => [row.id, row]));
      for (const row of rows.slice(0, single)) store.set(sampleCells(row.id, row));
      const rest = rows.slice(single).map((row) => sampleCells(row.id, row));
      store.setAll(samplePage(rest), [...rest.keys()]);
      expect(store.size).toBe(expected.size);
      expect(store.lastId).toBe(Math.max(0, ...expected.keys()));
      for (const [id, { total: _total, overhead: _overhead, ...row }] of expected) {
        expect(store.summary(id)).toMatchObject(row);
        expect(store.revision(id)).toBe(row.revision);
      }
      const ids = store.chunks().flatMap((chunk) => [...chunk.ids()]);
      expect(ids).toEqual([...expected.keys()].sort((a, b) => a - b));
    }),
  );
});

test('a view has the fields of a summary', () => {
  const store = new RowStore();
  for (const id of [1, 37, 9]) store.set(sampleCells(id));
  for (const id of [1, 37, 9]) {
    const [view, summary] = [store.view(id), store.summary(id)];
    expect(summary).toBeDefined();
    for (const [name, value] of Object.entries(summary ?? {})) {
      if (name === 'timings') expect(view.timings).toMatchObject(value as object);
      else expect([name, view[name as keyof typeof view]]).toEqual([name, value]);
    }
  }
});

test.each(['is:failed', 'host:cdn path:/orders', 'total:>100ms', 'is:fresh OR status:404', '-method:GET', 'images'])(
  'the filter %s gives the same result for views and summaries',
  (query) => {
    const filter = compileFilter(query);
    expect(filter.ok).toBe(true);
    if (!filter.ok) return;
    const store = new RowStore();
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    for (const id of ids) store.set(sampleCells(id));
    const fits = ids.filter((id) => filter.matches(store.view(id)));
    expect(fits).toEqual(ids.filter((id) => filter.matches(sampleRow(id))));
    expect(fits.length).toBeGreaterThan(0);
    expect(fits.length).toBeLessThan(ids.length);
  },
);

test('views and summaries show a user’s colour', () => {
  const store = new RowStore((id) => (id === 2 ? 'red' : null));
  for (const id of [1, 2]) store.set(sampleCells(id, { colour: 'blue' }));
  expect([1, 2].map((id) => [store.view(id).colour, store.summary(id)?.colour])).toEqual([
    ['blue', 'blue'],
    ['red', 'red'],
  ]);
});

test('a removed row is gone, and its neighbours stay', () => {
  const store = new RowStore();
  for (const id of [1, 2, 3]) store.set(sampleCells(id));
  store.delete(2);
  store.delete(2);
  expect([store.size, store.has(2), store.revision(2), store.summary(2), store.lastId]).toEqual([
    2,
    false,
    -1,
    undefined,
    3,
  ]);
  expect(store.summary(3)?.id).toBe(3);
});

test('all rows can be shown or hidden at once, and none that was removed', () => {
  const store = new RowStore();
  for (const id of [1, 2, 2 * CHUNK_ROWS]) store.set(sampleCells(id));
  store.delete(2);
  const shown = () => [1, 2, 3, 2 * CHUNK_ROWS].map((id) => store.isShown(id));
  store.showAll(true);
  expect(shown()).toEqual([true, false, false, true]);
  store.showAll(false);
  expect(shown()).toEqual([false, false, false, false]);
});
