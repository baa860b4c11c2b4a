import { expect, it } from 'vitest';
import { type Listed, LiveList } from '../../../../electron/engine/live-list.ts';

it('holds what was added until it is removed, in any order, and stops each once though that removes it', () => {
  const list = new LiveList();
  const stopped: number[] = [];
  const items = [0, 1, 2, 3].map((number): Listed => {
    const item: Listed = {
      listedAt: -1,
      stop: () => {
        stopped.push(number);
        list.remove(item);
      },
    };
    list.add(item);
    return item;
  });
  list.remove(items[1] as Listed);
  list.remove(items[3] as Listed);
  expect([list.size, items.map((item) => item.listedAt)]).toEqual([2, [0, -1, 1, -1]]);
  list.stopAll();
  expect([list.size, stopped.sort()]).toEqual([0, [0, 2]]);
});
