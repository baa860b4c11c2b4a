import fs from 'node:fs';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { runInShortSlices } from '../../../../electron/engine/short-slice.ts';

/** Of the calling thread, nanoseconds; null if this kernel does not report it (Documentation/scheduler/sched-debug). */
function sliceNow(): number | null {
  try {
    const [, slice] = /^se\.slice +: +(\d+)$/m.exec(fs.readFileSync('/proc/thread-self/sched', 'utf8')) ?? [];
    return slice === undefined ? null : Number(slice);
  } catch {
    return null;
  }
}

/** Linux 6.12 was the first to let a thread choose. */
function mayChoose(): boolean {
  const [major = 0, minor = 0] = os.release().split('.').map(Number);
  return sliceNow() !== null && (major > 6 || (major === 6 && minor >= 12));
}

describe('short slices', () => {
  it.skipIf(!mayChoose())('are what Linux runs the calling thread in', async () => {
    expect(await runInShortSlices()).toBe(true);
    expect(sliceNow()).toBe(100_000);
  });

  it.skipIf(process.platform === 'linux')('are not asked for on other systems', async () => {
    expect(await runInShortSlices()).toBe(false);
  });
});
