import { rmSync } from 'node:fs';
import { isLocked, lockFileOf } from '../format/lock-file.ts';
import { isOpenHere } from '../format/locked-file.ts';
import { DatabaseSync } from '../format/sqlite.ts';

const TRIES = 4;
/** Milliseconds between tries. */
const PAUSE = 25;
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/**
 * Ensures one writer per session file.
 *
 * SQLite would let two processes write to one file in turn, and both would assign the same ids. The writer therefore
 * holds an exclusive lock on a small file next to it. That file is an empty SQLite database, because SQLite uses the
 * operating system's file locks on every platform: the lock ends with the process, however it dies, and can't go stale.
 */
export class SessionLock {
  readonly #path: string;
  readonly #database: DatabaseSync;

  /** Throws an Error with the reason as part of a sentence if another writer holds the session at `sessionPath`. */
  constructor(sessionPath: string) {
    this.#path = lockFileOf(sessionPath);
    this.#database = lockedSoon(this.#path);
  }

  release(): void {
    // Remove the file while the lock is held: no other process can then hold the lock on the removed file. Windows does
    // not remove open files, and for the same reason can't remove a file that another process holds.
    if (process.platform !== 'win32') removeQuietly(this.#path);
    this.#database.close();
    if (process.platform === 'win32') removeQuietly(this.#path);
  }
}

/** Whoever looks whether the session is recorded has its lock for a moment. */
function lockedSoon(path: string): DatabaseSync {
  for (let left = TRIES; ; left -= 1) {
    const database = new DatabaseSync(path);
    try {
      database.exec('BEGIN EXCLUSIVE');
      // The former owner may have removed the file between the two calls: then another process can lock its successor.
      if (process.platform !== 'win32' && !isOpenHere(path)) throw new Error('its lock was removed: try again');
      return database;
    } catch (error) {
      database.close();
      if (left === 1) throw isLocked(error) ? new Error('another Roundtrip is recording into it') : error;
      Atomics.wait(NEVER, 0, 0, PAUSE);
    }
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A leftover empty file is harmless: the lock counts, not the file's existence.
  }
}
