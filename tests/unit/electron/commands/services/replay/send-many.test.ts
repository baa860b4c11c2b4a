import { expect, it } from 'vitest';
import { sendMany } from '../../../../../../electron/commands/services/replay/send-many.ts';

const PACE = { parallel: 3, pause: 0, jitter: 0 };

it('runs everything, never more at a time than allowed', async () => {
  const done: number[] = [];
  let atOnce = 0;
  let most = 0;
  await sendMany([1, 2, 3, 4, 5, 6, 7].values(), PACE, new AbortController().signal, async (one) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    done.push(one);
  });
  expect({ done, most }).toEqual({ done: [1, 2, 3, 4, 5, 6, 7], most: 3 });
});

it('starts no further request after it is stopped, not even after a pause', async () => {
  const stopping = new AbortController();
  const done: number[] = [];
  await sendMany([1, 2, 3].values(), { parallel: 1, pause: 1e9, jitter: 10 }, stopping.signal, async (one) => {
    done.push(one);
    setImmediate(() => stopping.abort());
  });
  expect(done).toEqual([1]);
});
