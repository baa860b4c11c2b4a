import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { trimGrown, trimWhenIdle } from '../../../../electron/worker/trim-heap.ts';

/** An object that only a collection of the whole heap frees: it has survived those of the young generation. */
async function oldGarbage(): Promise<WeakRef<object>> {
  const objects: object[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    objects.push(...Array.from({ length: 20_000 }, (_, index) => ({ index })));
    // A WeakRef keeps its target until the turn ends.
    await setTimeout(0);
  }
  return new WeakRef(objects[0] ?? {});
}

it('the heap of an idle thread is collected once it has grown', async () => {
  const garbage = await oldGarbage();
  await setTimeout(0);
  trimWhenIdle();
  // Due after the thread counts as idle: timers run in the order in which they are due, on a slow machine too.
  await setTimeout(600);
  // The object itself would be kept by the report of a failure.
  expect(garbage.deref() === undefined).toBe(true);
});

it('the heap of a thread at work is collected once it has grown', async () => {
  const garbage = await oldGarbage();
  await setTimeout(0);
  trimGrown();
  expect(garbage.deref() === undefined).toBe(true);
});
