import os from 'node:os';

/** Identifies a process, even if another has its number after a restart of the machine. */
export interface Owner {
  pid: number;
  /** When the machine was started, milliseconds since the Unix epoch. */
  boot: number;
}

export function bootTime(): number {
  return Math.round(Date.now() - os.uptime() * 1000);
}

/** Whether a recorded process still runs. */
export function isOwned({ pid, boot }: Owner): boolean {
  // The clock may have been adjusted since; a restart takes longer than this.
  return Math.abs(boot - bootTime()) < 10_000 && isAlive(pid);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
