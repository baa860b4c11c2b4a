import { type BigIntStats, rmSync, statSync } from 'node:fs';
import { describe } from '../../failures/errors.ts';
import { logSize } from '../format/log-frames.ts';
import { DatabaseSync } from '../format/sqlite.ts';
import { framesInUse, isLogIntact } from './session-log.ts';

/** The state of a file that we have open. */
export type FileFate = 'there' | 'removed' | 'replaced' | 'damaged';

function isSameFile(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/**
 * Detects what other programs do to the session file. SQLite keeps writing to an unlinked file and does not notice that
 * another program truncated it: the problem would only show when the file is next opened.
 */
export class SessionFileWatch {
  readonly #path: string;
  readonly #file: BigIntStats | undefined;
  readonly #log: BigIntStats | undefined;
  readonly #database: DatabaseSync;
  /** Bytes. */
  readonly #pageSize: number;
  /** The file's last known size in bytes. It must not shrink. */
  #size = 0;

  /** `path`: the file that was just opened, with `database`. */
  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
    this.#pageSize = Number(database.prepare('PRAGMA page_size').get()?.page_size);
    this.#file = look(path);
    this.#log = look(`${path}-wal`);
  }

  /** Call this when a session is cleared: SQLite then shrinks the file. */
  mayShrink(): void {
    this.#size = 0;
  }

  /**
   * `content`: bytes of all database pages. Those in the write-ahead log may not be in the file yet. It is only called
   * if the sizes are right: SQLite may not be able to tell otherwise.
   */
  look(content: () => number): FileFate {
    const found = look(this.#path);
    if (found === undefined) return 'removed';
    if (!isSameFile(found, this.#file)) return 'replaced';
    if (found.size < this.#size || !this.#isLogWhole()) return 'damaged';
    this.#size = Math.min(Number(found.size), content());
    return 'there';
  }

  /** The log that we have open has its name. Whoever opens the session reads the file of that name. */
  hasItsLog(): boolean {
    return isSameFile(look(`${this.#path}-wal`), this.#log);
  }

  /** False if another program damaged the log that we have open. Throws the system's error. */
  isLogIntact(): boolean {
    return !this.hasItsLog() || isLogIntact(this.#path, framesInUse(this.#database));
  }

  #isLogWhole(): boolean {
    const log = look(`${this.#path}-wal`);
    if (log === undefined || !isSameFile(log, this.#log)) return false;
    return log.size >= logSize(framesInUse(this.#database) ?? 0, this.#pageSize);
  }

  /**
   * Removes the log of a file that was removed or replaced, which SQLite leaves behind: it holds the session, and
   * whoever opens the other file would read that with our log. Connections that are open keep theirs. Never throws.
   */
  removeLog(): void {
    try {
      if (!this.hasItsLog()) return;
      for (const suffix of ['-wal', '-shm']) rmSync(`${this.#path}${suffix}`, { force: true });
    } catch {
      // Windows: a reader still has it open. There, an open session file can't be replaced either.
    }
  }
}

/**
 * The state of the file at `path` since another thread closed it: it must hold one of these sessions, or be empty.
 * Throws if this can't be determined now, for example because the file is locked.
 */
export function fateOfSession(path: string, sessionIds: readonly string[]): FileFate {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'removed';
  // SQLite would remove the log of an empty file.
  if (found.size === 0) return (look(`${path}-wal`)?.size ?? 0n) > 0n ? 'damaged' : 'there';
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
