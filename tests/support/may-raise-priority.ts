import os from 'node:os';

/** Whether this process, at the usual level, may put a thread before others by its own right: Linux's root may, mostly. */
export function mayRaisePriority(): boolean {
  if (process.platform !== 'linux' || os.getPriority() !== 0) return false;
  try {
    os.setPriority(process.pid, -1);
    os.setPriority(process.pid, 0);
    return true;
  } catch {
    return false;
  }
}
