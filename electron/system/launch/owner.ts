import os from 'node:os';
import { isAlive } from '../../files/is-alive.ts';

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
