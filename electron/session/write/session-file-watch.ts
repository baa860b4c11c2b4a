import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe } from '../../failures/errors.ts';

/** What became of a file that a program has open. */
export type FileFate = 'there' | 'removed' | 'replaced' | 'damaged';

/**
 * Notices what others do to the session file. SQLite goes on writing into a file that no name leads to any more, and does not
 * see that another program cut it: everything would look well until the file is opened again.
 */
export class SessionFileWatch {
  readonly #path: string;
  readonly #device: bigint;
  readonly #inode: bigint;
  /** Bytes that the file had, and has to keep. */
  #size = 0;

  /** The file at `path` is the one that was just opened. */
  constructor(path: string) {
    this.#path = path;
    const { dev, ino } = statSync(path, { bigint: true });
    this.#device = dev;
    this.#inode = ino;
  }

  /** SQLite itself shrinks the file when a session is cleared. */
  mayShrink(): void {
    this.#size = 0;
  }

  /** `content`: bytes of all pages of the database; of them, those in the write-ahead log may not be in the file yet. */
  look(content: number): FileFate {
    const found = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return 'removed';
    if (found.dev !== this.#device || found.ino !== this.#inode) return 'replaced';
    if (found.size < this.#size) return 'damaged';
    this.#size = Math.min(Number(found.size), content);
    return 'there';
  }
}

/**
 * What became of the file at `path` since another thread closed it: it has to hold one of these sessions, or nothing yet.
 * Throws where that can't be known now, because it is locked say.
 */
export function fateOfSession(path: string, sessionIds: readonly string[]): FileFate {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'removed';
  if (found.size === 0) return 'there';
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 2000');
    const id = database.prepare('SELECT id FROM session').get()?.id;
    return id === undefined || sessionIds.includes(String(id)) ? 'there' : 'replaced';
  } catch (error) {
    if (/malformed|not a database/.test(describe(error))) return 'damaged';
    if (/no such table/.test(describe(error))) return 'replaced';
    throw error;
  } finally {
    database.close();
  }
}
