import fs from 'node:fs';
import path from 'node:path';

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    // It ended meanwhile.
    return '';
  }
}

/** The fields after the name in /proc/PID/stat; the name itself may hold spaces and brackets. proc_pid_stat(5). */
function statFields(file: string): string[] {
  const text = read(file);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The process and all that it started. */
export function processTree(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of fs.readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(statFields(`/proc/${name}/stat`)[1]));
  }
  const tree = [pid];
  for (const member of tree) for (const [child, parent] of parents) if (parent === member) tree.push(child);
  return tree;
}

/**
 * Microseconds of CPU by the thread's name, of a process and all that it started. The kernel counts in steps of 10 ms.
 */
export function cpuByThread(pid: number): Map<string, number> {
  const used = new Map<string, number>();
  for (const member of processTree(pid)) {
    const tasks = `/proc/${member}/task`;
    for (const task of fs.existsSync(tasks) ? fs.readdirSync(tasks) : []) {
      const name = read(path.join(tasks, task, 'comm')).trim();
      const fields = statFields(path.join(tasks, task, 'stat'));
      used.set(name, (used.get(name) ?? 0) + (Number(fields[11]) + Number(fields[12])) * 10_000);
    }
  }
  return used;
}

/** Bytes of memory that the process and its children hold. */
export function residentMemory(pid: number): number {
  const pages = processTree(pid).map((member) => Number(read(`/proc/${member}/statm`).split(' ')[1] ?? 0));
  return pages.reduce((sum, count) => sum + count, 0) * 4096;
}

function socketsOf(pid: number): Set<string> {
  const folder = `/proc/${pid}/fd`;
  const links = (fs.existsSync(folder) ? fs.readdirSync(folder) : []).map((fd) => {
    try {
      return fs.readlinkSync(path.join(folder, fd));
    } catch {
      return '';
    }
  });
  return new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? '').filter(Boolean));
}

/**
 * Whether the port is listened on by that process: a stale one on the same port would be timed in its place.
 * /proc/net/tcp, proc_net(5): address:port in hex, state 0A is LISTEN, the tenth column the socket's inode.
 */
export function listensOn(pid: number, port: number): boolean {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => read(file).split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(wanted) && columns[3] === '0A')
    .map((columns) => columns[9] ?? '');
  const owned = processTree(pid).map(socketsOf);
  return inodes.some((inode) => owned.some((sockets) => sockets.has(inode)));
}
