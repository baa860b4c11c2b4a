import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A thread counts as idle this long after its last call. Milliseconds. */
const IDLE = 300;
/** Bytes that the heap must have grown by: a collection takes 20 to 60 ms. */
const GROWN = 12 * 1024 * 1024;

let timer: NodeJS.Timeout | null = null;
let collect: (() => void) | null = null;
/** Bytes of the heap after the last collection here. */
let kept = 0;

/** V8's own function, which Node gives out only behind this flag. `last-resort` also returns the free pages. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Collects this thread's heap if it has grown much: for work during which the thread is never idle. */
export function trimGrown(): void {
  if (getHeapStatistics().total_heap_size - kept < GROWN) return;
  collect ??= collector();
  collect();
  kept = getHeapStatistics().total_heap_size;
}

/**
 * Collects this thread's heap once the thread is idle, if the heap has grown much. V8 waits for a heap to reach four
 * times its size (`HEAP_GROWTH` in engine-run.ts): after a window had read 100,000 rows, the host and the reader held
 * 110 MB of garbage for as long as nothing else happened.
 */
export function trimWhenIdle(): void {
  if (timer !== null) {
    timer.refresh();
    return;
  }
  timer = setTimeout(() => {
    timer = null;
    trimGrown();
  }, IDLE).unref();
}
