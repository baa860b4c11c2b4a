import fs from 'node:fs';

/** Bytes of memory that a process has had at most (`VmHWM` of proc(5)); null on systems without /proc. */
export function peakMemory(pid: number | undefined): number | null {
  if (process.platform !== 'linux') return null;
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  if (kibibytes === undefined) throw new Error(`no VmHWM for ${pid}`);
  return Number(kibibytes) * 1024;
}
