import type { Window } from '../windows.ts';

/** What a window runs one of at a time. */
type Task = 'previewing' | 'searching' | 'trying';

/**
 * Runs a task and stops the window's previous one of the same kind: nobody waits for its result any more. Resolves with
 * null if it was stopped itself.
 */
export async function runLatest<T>(
  window: Window,
  task: Task,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  window[task]?.abort();
  const stopping = new AbortController();
  window[task] = stopping;
  const { signal } = stopping;
  try {
    return await run(signal);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    if (window[task] === stopping) window[task] = null;
  }
}
