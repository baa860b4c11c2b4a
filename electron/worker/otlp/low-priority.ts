import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Gives the traffic's threads priority when all cores are busy: spans take CPU time that the traffic could use. On
 * Linux each thread has its own priority; on other systems a process has one, which stays unchanged.
 */
export function goLast(): void {
  if (process.platform !== 'linux') return;
  try {
    // `PID/task/TID`; setpriority(2) takes the id of a thread too.
    const thread = Number(path.basename(fs.readlinkSync('/proc/thread-self')));
    os.setPriority(thread, os.constants.priority.PRIORITY_LOW);
  } catch {
    // A sandbox without /proc: the thread then competes like others.
  }
}
