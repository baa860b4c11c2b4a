import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortValueOf } from '../../../../../renderer/state/columns.ts';
import { arrangedRows } from '../../../../../renderer/state/rows/arranged-rows.ts';
import { mergedIds } from '../../../../../renderer/state/rows/merged-ids.ts';
import { RowStore } from '../../../../../renderer/state/rows/row-store.ts';
import { sortedOrder } from '../../../../../renderer/state/rows/sorted-order.ts';
import { sampleCells, sampleRow } from '../../../../support/sample-inspector/sample-rows.ts';

/** Runs it to its end, and counts the places where it might have paused. */
function whole<T>(work: Generator<void, T>): { result: T; pauses: number } {
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next();
    if (step.done) return { result: step.value, pauses };
  }
}

test('sorts as the platform does, and stably', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 5000, size: 'max' });
  fc.assert(
    fc.property(keys, (values) => {
      const { result } = whole(sortedOrder(values.length, (a, b) => (values[a] ?? 0) - (values[b] ?? 0)));
      const expected = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
      expect([...result]).toEqual(expected);
    }),
    { numRuns: 40 },
  );
});

test('sorting 100,000 rows offers a pause at least every 2,000 rows', () => {
  const { pauses } = whole(sortedOrder(100_000, (a, b) => b - a));
  expect(pauses).toBeGreaterThan(50);
});

test('every pass over the rows of a text sort offers pauses, including the last', () => {
  const store = new RowStore();
  for (let id = 1; id <= 20_000; id += 1) store.set(sampleCells(id, { path: `/${(id * 7919) % 20_011}` }));
  const sorting = { key: 'path', descending: false, value: sortValueOf('path') };
  const { pauses } = whole(arrangedRows(store, { matches: () => true, sorting }, () => false));
  // One in 512 for each of six passes, and one in 1,024 for each level of two merge sorts.
  expect(pauses).toBeGreaterThan(6 * 40 + 2 * 6 * 20);
});

test.each(['path', 'total', 'status', 'host', 'url'])('rows sorted by %s are in order both ways', (key) => {
  const store = new RowStore();
  const ids = Array.from({ length: 3000 }, (_, index) => index + 1);
  for (const id of ids) store.set(sampleCells(id));
  const value = sortValueOf(key);
  const byValue = (a: number, b: number) => {
    const [left, right] = [value(sampleRow(a)), value(sampleRow(b))];
    if (left === right) return 0;
    return left < right ? -1 : 1;
  };
  const sorted = (descending: boolean) =>
    whole(arrangedRows(store, { matches: () => true, sorting: { key, descending, value } }, () => false)).result;
  expect(sorted(false)).toEqual([...ids].sort((a, b) => byValue(a, b)));
  // Equal rows stay in order of arrival.
  expect(sorted(true)).toEqual([...ids].sort((a, b) => byValue(b, a)));
});

test('merging gives the same result as sorting', () => {
  const ids = fc.uniqueArray(fc.nat(500), { maxLength: 200 });
  fc.assert(
    fc.property(ids, ids, fc.func(fc.boolean()), (there, coming, leaves) => {
      const sorted = [...there].sort((a, b) => a - b);
      const leave = new Set(sorted.filter((id) => leaves(id)));
      const enter = coming.filter((id) => !sorted.includes(id));
      const expected = [...sorted.filter((id) => !leave.has(id)), ...enter].sort((a, b) => a - b);
      expect(mergedIds([...sorted], leave, enter, (a, b) => a - b)).toEqual(expected);
    }),
  );
});
