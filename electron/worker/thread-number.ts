import fs from 'node:fs';

/** The number by which the operating system knows the calling thread (gettid(2)); null where Node cannot tell it: other than Linux. */
export function threadNumber(): number | null {
  try {
    // PID/task/TID: proc_pid(5), /proc/thread-self.
    return Number(fs.readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}
