import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Lets the threads that carry traffic go first where all cores are busy: spans take processor time that the traffic
 * could use. On Linux each thread has its own priority; on other systems a process has one, which stays as it is.
 */
export function goLast(): void {
  if (process.platform !== 'linux') return;
  try {
    // `PID/task/TID`; setpriority(2) takes the id of a thread too.
    const thread = Number(path.basename(fs.readlinkSync('/proc/thread-self')));
    os.setPriority(thread, os.constants.priority.PRIORITY_LOW);
  } catch {
    // A sandbox without /proc: the thread then competes as others do.
  }
}
