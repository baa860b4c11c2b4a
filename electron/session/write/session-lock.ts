import { rmSync } from 'node:fs';
import { lockFileOf } from '../format/lock-file.ts';
import { DatabaseSync } from '../format/sqlite.ts';

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
    this.#database = new DatabaseSync(this.#path);
    try {
      this.#database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      this.#database.close();
      if (!/locked|busy/i.test(String(error))) throw error;
      throw new Error('another Roundtrip is recording into it');
    }
  }

  release(): void {
    // Remove the file while the lock is held: no other process can then hold the lock on the removed file. Windows does
    // not remove open files, and for the same reason can't remove a file that another process holds.
    if (process.platform !== 'win32') removeQuietly(this.#path);
    this.#database.close();
    if (process.platform === 'win32') removeQuietly(this.#path);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // A leftover empty file is harmless: the lock counts, not the file's existence.
  }
}
