import { existsSync, fstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';

/** The file that a descriptor must have. */
export interface Inode {
  dev: bigint;
  ino: bigint;
  /** How many names it has. */
  nlink: bigint;
}

/** What SQLite and a session's writer add to the name of a file for the files next to it. */
const BESIDE = /-(?:shm|lock)$/;
/** The folder with the locks of a folder of sessions (`SessionUse`). */
const USES = /\.in-use[/\\][^/\\]+$/;

/**
 * Throws an Error with the reason as part of a sentence if to read the file would release locks of this process.
 *
 * On POSIX, a process that closes any descriptor of a file loses all its locks on that file
 * (sqlite.org/howtocorrupt.html, section 2.2): another program could then record into a session that we record, or
 * remove its log. Call this before a file is opened that a user named. Throws nothing else: opening reports the rest.
 */
export function refuseLockedHere(file: string): void {
  if (isLockedHere(file))
    throw new Error(`${file} belongs to a session that is open, and reading it would unlock that; name a copy of it`);
}

/** Linux has it: how each of our descriptors was opened. */
const FLAGS = '/proc/self/fdinfo';

function isLockedHere(file: string): boolean {
  const inode = lockable(file);
  // Package managers link files: a second request for one must not be refused while the first one reads it.
  if (inode === null || (inode.nlink > 1n && !existsSync(FLAGS))) return false;
  return ownDescriptors()?.some((name) => isOf(Number(name), inode) && isSqlites(name)) ?? true;
}

/** Whether the file is open to be read and written: only SQLite does that. True also where the system does not say. */
function isSqlites(descriptor: string): boolean {
  try {
    const [, flags = ''] = /^flags:\s*([0-7]+)/m.exec(readFileSync(`${FLAGS}/${descriptor}`, 'utf8')) ?? [];
    return Number.parseInt(flags, 8) % 4 === 2;
  } catch {
    return true;
  }
}

/**
 * The file at this name, if SQLite may have locks on it in this process; null: it has none. SQLite keeps the index of
 * the log next to a session while a connection has locks: most files need no look at thousands of descriptors.
 */
export function lockable(file: string): Inode | null {
  // Windows' locks belong to descriptors.
  if (process.platform === 'win32') return null;
  try {
    const { dev, ino, nlink } = statSync(file, { bigint: true });
    const real = realpathSync(file);
    return nlink > 1n || BESIDE.test(real) || USES.test(real) || existsSync(`${real}-shm`) ? { dev, ino, nlink } : null;
  } catch {
    return null;
  }
}

/** Null: the system does not list them, as in some containers. */
export function ownDescriptors(): string[] | null {
  try {
    return readdirSync('/dev/fd');
  } catch {
    return null;
  }
}

export function isOf(descriptor: number, { dev, ino }: Pick<Inode, 'dev' | 'ino'>): boolean {
  try {
    const found = fstatSync(descriptor, { bigint: true });
    return found.dev === dev && found.ino === ino;
  } catch {
    // It is closed.
    return false;
  }
}
