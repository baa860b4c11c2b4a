import { expect, test } from 'vitest';
import { MessageQueue } from '../../../../../electron/engine/record/message-queue.ts';
import { MESSAGE_COLUMNS, messageOf } from '../../../../../electron/session/format/message-cells.ts';
import type { MessageMark } from '../../../../../shared/model/message-mark.ts';

function mark(ordinal: number): MessageMark {
  const place = { start: ordinal * 3, stop: ordinal * 3 + 3, size: 1 };
  return { ordinal, side: 'response', at: 1000.5, opcode: 1, ...place, compressed: false, closeCode: null };
}

function add(queue: MessageQueue, exchange: number, count: number): void {
  for (let ordinal = 0; ordinal < count; ordinal += 1) queue.add(exchange, mark(ordinal));
}

/** Everything that waits, as pairs of exchange and ordinal. */
function drain(queue: MessageQueue): [number, number][] {
  const rows: [number, number][] = [];
  while (queue.size > 0) {
    const cells = queue.take();
    for (let at = 0; at < cells.length; at += MESSAGE_COLUMNS.length) rows.push([cells[at] ?? 0, cells[at + 1] ?? 0]);
  }
  return rows;
}

test('all rows come out, in order, in blocks and a last part of one', () => {
  const queue = new MessageQueue();
  add(queue, 7, 10_000);
  expect([queue.size, queue.hasBlock]).toEqual([10_000, true]);
  expect(drain(queue)).toEqual(Array.from({ length: 10_000 }, (_, ordinal) => [7, ordinal]));
  expect([queue.size, queue.hasBlock, queue.take().length]).toEqual([0, false, 0]);
});

test('what was taken stays as it was when further messages come', () => {
  const queue = new MessageQueue();
  const first = { ...mark(1), closeCode: 1000, compressed: true, side: 'request' } as const;
  queue.add(1, first);
  const taken = queue.take();
  queue.add(2, mark(5));
  expect(messageOf([...taken])).toEqual(first);
  expect(drain(queue)).toEqual([[2, 5]]);
});

test('a stream fills the queue, and another one with few messages does not', () => {
  const queue = new MessageQueue();
  add(queue, 1, 10_000);
  add(queue, 2, 100);
  expect([queue.isFilledBy(1), queue.isFilledBy(2)]).toEqual([true, false]);
  queue.take();
  expect(queue.isFilledBy(1)).toBe(false);
});

test('many streams fill it together, though none does on its own', () => {
  const queue = new MessageQueue();
  for (let exchange = 1; exchange <= 20; exchange += 1) add(queue, exchange, 4000);
  add(queue, 21, 10);
  expect([queue.isFilledBy(1), queue.isFilledBy(20), queue.isFilledBy(21)]).toEqual([true, true, false]);
  drain(queue);
  expect(queue.isFilledBy(20)).toBe(false);
});

test('messages beyond the limit are counted, by exchange and in total', () => {
  const queue = new MessageQueue(100);
  add(queue, 1, 90);
  add(queue, 2, 30);
  add(queue, 1, 5);
  expect([queue.size, queue.lostOf(1), queue.lostOf(2)]).toEqual([100, 5, 20]);
  expect([queue.takeLost(), queue.takeLost()]).toEqual([25, 0]);
  expect(drain(queue)).toHaveLength(100);
  add(queue, 1, 1);
  expect([queue.size, queue.lostOf(1)]).toEqual([1, 5]);
});

test('when discarded, nothing waits and nothing is lost', () => {
  const queue = new MessageQueue(5000);
  add(queue, 1, 6000);
  queue.discard();
  expect([queue.size, queue.lostOf(1), queue.takeLost(), queue.isFilledBy(1)]).toEqual([0, 0, 0, false]);
  add(queue, 2, 3);
  expect(drain(queue)).toEqual([
    [2, 0],
    [2, 1],
    [2, 2],
  ]);
});
