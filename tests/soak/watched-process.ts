import fs from 'node:fs';

/** Milliseconds between two samples of a process's memory. */
const LOOK = 200;

/** Bytes of memory that the process holds; 0 once it ended. /proc/PID/statm, proc_pid_statm(5). */
function residentBytes(pid: number): number {
  try {
    return Number(fs.readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}

export interface MemoryLook {
  /** Bytes: of all samples since the last one. */
  median: number;
  peak: number;
}

/** Samples a process's memory continuously, because occasional samples fall before or after a collection. */
export class WatchedProcess {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #looks: number[] = [];

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#looks.push(residentBytes(pid)), LOOK);
  }

  /** Of the time since this was last called. */
  memory(): MemoryLook {
    const looks = [...this.#looks, residentBytes(this.#pid)].sort((a, b) => a - b);
    this.#looks = [];
    return { median: looks[Math.floor(looks.length / 2)] ?? 0, peak: looks.at(-1) ?? 0 };
  }

  /** All samples since the last call, in order. */
  looks(): number[] {
    return this.#looks.splice(0);
  }

  descriptors(): number {
    return fs.readdirSync(`/proc/${this.#pid}/fd`).length;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
