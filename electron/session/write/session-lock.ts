import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * One writer a session file.
 *
 * SQLite would let two processes write to one file in turn, and both would hand out the same ids. So the writer holds
 * an exclusive lock on a small file beside it. That file is an (empty) SQLite database, because SQLite's lock on it is
 * the operating system's own on every platform: it goes with the process, however that dies, and can't go stale.
 */
export class SessionLock {
  readonly #path: string;
  readonly #database: DatabaseSync;

  /** Throws an Error with the reason as a sentence part where another writer holds the session at `sessionPath`. */
  constructor(sessionPath: string) {
    this.#path = `${sessionPath}-lock`;
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
    // Removed while it is still held, so that nobody else can be holding the file that goes; Windows keeps an open file,
    // and for that very reason can't take one that another holds.
    if (process.platform !== 'win32') removeQuietly(this.#path);
    this.#database.close();
    if (process.platform === 'win32') removeQuietly(this.#path);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // An empty file left behind does no harm: the lock is on the file, not in its being there.
  }
}
