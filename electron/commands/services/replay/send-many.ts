import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** Requests under way at a time. */
  parallel: number;
  /** Milliseconds from the end of a request to the next one in its place. */
  pause: number;
  /** Milliseconds: each pause is longer or shorter by up to this much, at random. */
  jitter: number;
}

function pauseOf({ pause, jitter }: Pace): number {
  return Math.max(pause + (Math.random() * 2 - 1) * jitter, 0);
}

/**
 * Runs each piece of work, at most `parallel` at a time, and starts no more once the signal is aborted. Rejects with
 * the first error of a piece; pieces under way still end.
 */
export async function sendMany<T>(
  work: Iterator<T> | AsyncIterator<T>,
  pace: Pace,
  signal: AbortSignal,
  send: (one: T) => Promise<void>,
): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      if (!isFirst && (pace.pause > 0 || pace.jitter > 0))
        await sleep(pauseOf(pace), null, { signal }).catch(() => null);
      if (signal.aborted) return;
      const next = await work.next();
      if (next.done) return;
      await send(next.value);
    }
  };
  await Promise.all(Array.from({ length: pace.parallel }, lane));
}
