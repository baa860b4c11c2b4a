import { execFileSync } from 'node:child_process';
import { cpuByThread } from './process-tree.ts';

/** A process that takes less than this in a `LOOK` is done; microseconds of CPU, and milliseconds. */
const QUIET = 10_000;
const LOOK = 500;
/** Maximum number of checks: half a minute. */
const LOOKS = 60;

function cpuOf(pid: number): number {
  return [...cpuByThread(pid).values()].reduce((sum, each) => sum + each, 0);
}

/**
 * Waits until a contender and the disk have finished: remaining work on a large body, such as a checkpoint, would count
 * against the next.
 */
export async function settle(pid: number): Promise<void> {
  let before = cpuOf(pid);
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
    const now = cpuOf(pid);
    if (now - before < QUIET) break;
    before = now;
  }
  execFileSync('sync');
}
