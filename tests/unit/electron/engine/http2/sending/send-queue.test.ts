import { expect, it } from 'vitest';
import { SendQueue } from '../../../../../../electron/engine/http2/sending/send-queue.ts';

it('counts the bytes that it dropped unsent', () => {
  const queue = new SendQueue();
  queue.add(Buffer.from('0123456789'));
  queue.take(4);
  queue.drop();
  expect([queue.bytes, queue.dropped]).toEqual([0, 6]);
});
