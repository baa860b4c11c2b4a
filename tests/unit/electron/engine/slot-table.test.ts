import { expect, it } from 'vitest';
import { SlotTable } from '../../../../electron/engine/slot-table.ts';

const idsOf = (items: { id: number }[]) => items.map(({ id }) => id);

it('keeps each until it is deleted, even if two ids share a slot', () => {
  const table = new SlotTable<{ id: number }>();
  const ids = [1, 513, 2, 1025];
  for (const id of ids) table.set({ id });
  expect([table.size, ...ids.map((id) => table.get(id)?.id)]).toEqual([4, ...ids]);
  expect([table.delete(1), table.delete(1), table.delete(513), table.get(1025)?.id]).toEqual([true, false, true, 1025]);
  expect(idsOf(table.all())).toEqual([2, 1025]);
});

it('has an id once: the latest replaces the one before, in a slot and outside of it', () => {
  const table = new SlotTable<{ id: number; revision: number }>();
  for (const id of [1, 513]) for (const revision of [1, 2]) table.set({ id, revision });
  // Its slot is free by then, and it is still kept outside.
  table.delete(1);
  table.set({ id: 513, revision: 3 });
  expect([table.size, table.all()]).toEqual([1, [{ id: 513, revision: 3 }]]);
});

it('removes the oldest, a few at a time', () => {
  const table = new SlotTable<{ id: number }>();
  for (const id of [600, 4, 88]) table.set({ id });
  expect([idsOf(table.take(2)), idsOf(table.take(2)), idsOf(table.take(2)), table.size]).toEqual([
    [4, 88],
    [600],
    [],
    0,
  ]);
});

it('agrees with a Map for any additions and removals', () => {
  const table = new SlotTable<{ id: number }>();
  const map = new Map<number, { id: number }>();
  let seed = 7;
  for (let step = 0; step < 20_000; step += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const item = { id: (seed >>> 8) % 2000 };
    if (seed % 3 === 0) expect(table.delete(item.id)).toBe(map.delete(item.id));
    else {
      table.set(item);
      map.set(item.id, item);
    }
  }
  expect([table.size, idsOf(table.all())]).toEqual([map.size, [...map.keys()].sort((a, b) => a - b)]);
  table.clear();
  expect([table.size, table.all()]).toEqual([0, []]);
});
