import { spawnSync } from 'node:child_process';

/** One line of `ps`: a process and its parent. */
type Pair = readonly [pid: number, parent: number];

function allProcesses(): Pair[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s*$/.exec(line) ?? [];
    return pid === undefined || parent === undefined ? [] : [[Number(pid), Number(parent)] as const];
  });
}

/** Ids of a process's children, their children, and so on. Empty on Windows, and without `ps`. */
export function descendantsOf(pid: number, processes: readonly Pair[] = allProcesses()): number[] {
  const children = processes.filter(([, parent]) => parent === pid).map(([child]) => child);
  return children.flatMap((child) => [child, ...descendantsOf(child, processes)]);
}
