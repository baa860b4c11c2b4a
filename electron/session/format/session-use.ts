import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isLocked } from './lock-file.ts';
import { DatabaseSync } from './sqlite.ts';

/** Milliseconds that a reader waits while a session is deleted, or about to be. */
const WAIT = 1000;

/**
 * The folder with the locks of a folder of sessions, next to it: there for folders from which old sessions are deleted.
 */
function usesOf(folder: string): string {
  return `${folder}.in-use`;
}

function lockOf(sessionPath: string): string {
  return path.join(usesOf(path.dirname(path.resolve(sessionPath))), path.basename(sessionPath));
}

/**
 * Marks a session as read by this process, in the way of `SessionLock`: with the lock of an empty SQLite database,
 * which many readers share and which ends with the process. A reader of a closed session has no lock on the session
 * file.
 *
 * The lock's file stays when the reader ends: another reader may be about to lock it.
 */
export class SessionUse {
  #database: DatabaseSync | null;

  /** Never throws: without a folder for locks, nothing is deleted without being asked for. */
  constructor(sessionPath: string) {
    const lock = locked(lockOf(sessionPath), `PRAGMA busy_timeout = ${WAIT}; BEGIN; SELECT 1 FROM sqlite_master`);
    this.#database = lock === 'in use' ? null : lock;
  }

  /** Further calls do nothing. */
  release(): void {
    this.#database?.close();
    this.#database = null;
  }
}

/**
 * Calls `work` if no reader uses the session, and keeps new ones away meanwhile. Returns whether it did. A full disk
 * has no room for the lock, and must not prevent that a session is deleted.
 */
export function whileUnused(sessionPath: string, work: () => void): boolean {
  const lock = locked(lockOf(sessionPath), 'BEGIN EXCLUSIVE');
  if (lock === 'in use') return false;
  try {
    work();
    return true;
  } finally {
    lock?.close();
  }
}

/** Lets readers of the sessions in this folder mark them. Never throws. */
export function keepUses(folder: string): void {
  try {
    mkdirSync(usesOf(folder), { recursive: true, mode: 0o700 });
  } catch {
    // Sessions of a data folder that can't be written to can't be deleted either.
  }
}

/** Removes the lock of a session that was just deleted, within `whileUnused`. */
export function forgetUse(sessionPath: string): void {
  try {
    rmSync(lockOf(sessionPath), { force: true });
  } catch {
    // Windows does not remove open files. The leftover empty file is harmless.
  }
}

/** Null: the file can't be locked, because there is no folder for it, for example. */
function locked(file: string, begin: string): DatabaseSync | 'in use' | null {
  if (!existsSync(path.dirname(file))) return null;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec(begin);
    return database;
  } catch (error) {
    database?.close();
    return isLocked(error) ? 'in use' : null;
  }
}
