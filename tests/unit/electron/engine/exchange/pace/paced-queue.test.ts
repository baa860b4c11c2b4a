import { expect, it } from 'vitest';
import { PacedQueue } from '../../../../../../electron/engine/exchange/pace/paced-queue.ts';

/** Each step takes this long on the link, milliseconds. */
const STEP = 10;

/** A queue to which these steps are added at once. `passed`: what each step does. */
function run(steps: number, passed: (index: number) => void) {
  const spans: [number, number][] = [];
  const ended = new Promise<void>((resolve) => {
    const queue = new PacedQueue({ waited: (from, to) => spans.push([from, to]), roomy: () => {} });
    for (let index = 0; index < steps; index += 1) {
      queue.add(
        1,
        (readyAt) => readyAt + STEP,
        () => {
          passed(index);
          if (index === steps - 1) resolve();
          return true;
        },
      );
    }
  });
  return { spans, ended };
}

it('counts the time of each step on the link, and not that of a busy thread', async () => {
  const passedAt: number[] = [];
  const { spans, ended } = run(5, (index) => {
    const now = performance.now();
    passedAt.push(now);
    // Longer than the next step needs: it has arrived before the next check.
    if (index === 1) while (performance.now() < now + 2 * STEP);
  });
  await ended;
  expect(spans.map(([from, to]) => to - from)).toEqual(Array(5).fill(expect.closeTo(STEP, 6)));
  for (const [index, [, to]] of spans.entries()) {
    expect(passedAt[index]).toBeGreaterThanOrEqual(to);
    // Later, if this thread stopped between adding the two.
    if (index > 0) expect(spans[index]?.[0]).toBeGreaterThanOrEqual(spans[index - 1]?.[1] ?? 0);
  }
});

it('counts nothing for a step that crosses at once', () => {
  const spans: unknown[] = [];
  const passed: number[] = [];
  const queue = new PacedQueue({ waited: (...span) => spans.push(span), roomy: () => {} });
  queue.add(
    0,
    (readyAt) => readyAt,
    () => passed.push(1) === 1,
  );
  expect({ spans, passed, empty: queue.isEmpty }).toEqual({ spans: [], passed: [1], empty: true });
});
