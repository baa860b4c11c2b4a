import { expect, test } from 'vitest';
import { Tally } from '../../../../../electron/engine/record/tally.ts';

test('adds the counts of two threads: an ended exchange counts as waiting until it is written or dropped', () => {
  const engine = new Tally();
  const host = new Tally(engine.shared);
  for (let exchange = 0; exchange < 5; exchange += 1) engine.ended();
  engine.settled(2);
  engine.dropped(1);
  expect([host.waiting, host.lost]).toEqual([2, 1]);
});
