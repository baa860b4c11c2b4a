import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import type { SessionEdits } from '../../../shared/model/edits/session-edits.ts';
import { summaryPath } from '../../../shared/model/summary-columns.ts';
import { failure } from '../../failures/errors.ts';
import { WriteRefused } from '../../failures/write-refused.ts';
import { FAILURE_PLACE } from '../format/detail-row.ts';
import { CONNECTION_COLUMNS, DETAIL_COLUMNS, EXCHANGE_COLUMNS } from '../format/exchange-cells.ts';
import { MESSAGE_COLUMNS } from '../format/message-cells.ts';
import { checkSchema, EDIT_TABLES, migrate, pragmaNumber } from '../format/session-schema.ts';
import { DatabaseSync } from '../format/sqlite.ts';
import { withoutLinks } from '../format/without-links.ts';
import type { OpenedSession, WriteBatch } from '../format/writer-protocol.ts';
import { BUSY_TIMEOUT, Checkpoints } from './checkpoints.ts';
import { InsertedBodies } from './inserted-bodies.ts';
import { InsertedRows } from './inserted-rows.ts';
import { type FileFate, SessionFileWatch } from './session-file-watch.ts';
import { SessionLock } from './session-lock.ts';
import { checkSessionPlace } from './session-place.ts';

const [REVISION, STATE, FAILURE] = [summaryPath('revision'), summaryPath('state'), summaryPath('failureCode')];

export interface WriterOptions {
  /** Connected to `serveCheckpoints`; default: SQLite's automatic checkpoints. */
  checkpoints?: MessagePort | undefined;
  /** The session that another writer left unfinished: open exchanges stay open, and a new file gets this id. */
  resumes?: string | undefined;
}

/**
 * Writes one session file. Fully synchronous: run it on a thread that may block on the disk.
 *
 * Appends to an existing file. Opening a file marks exchanges that a killed process left open as failed with
 * `engine.stopped`, because nothing else will ever end them.
 */
export class SessionWriter {
  readonly session: OpenedSession;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #lock: SessionLock;
  readonly #connections: InsertedRows;
  readonly #exchanges: InsertedRows;
  readonly #details: InsertedRows;
  readonly #messages: InsertedRows;
  readonly #bodies: InsertedBodies;
  readonly #checkpoints: Checkpoints | null;
  readonly #watch: SessionFileWatch;
  #sessionId: string;
  #closed = false;

  /** Throws `session.open-failed`. */
  static open(given: string, options: WriterOptions = {}): SessionWriter {
    const path = withoutLinks(given);
    let lock: SessionLock | undefined;
    let database: DatabaseSync | undefined;
    try {
      checkSessionPlace(path);
      lock = new SessionLock(path);
      database = openForWriting(path);
      return new SessionWriter(path, database, lock, options);
    } catch (error) {
      database?.close();
      lock?.release();
      throw new WriteRefused('session.open-failed', path, error);
    }
  }

  private constructor(
    path: string,
    database: DatabaseSync,
    lock: SessionLock,
    { checkpoints, resumes }: WriterOptions,
  ) {
    this.#path = path;
    this.#database = database;
    this.#lock = lock;
    this.#connections = new InsertedRows(database, 'connection', CONNECTION_COLUMNS);
    this.#exchanges = new InsertedRows(database, 'exchange', EXCHANGE_COLUMNS);
    this.#details = new InsertedRows(database, 'detail', DETAIL_COLUMNS);
    this.#messages = new InsertedRows(database, 'message', MESSAGE_COLUMNS);
    this.#bodies = new InsertedBodies(database);
    this.#checkpoints = checkpoints ? new Checkpoints(database, checkpoints, path) : null;
    this.#watch = new SessionFileWatch(path, database);
    this.fate();
    this.#transaction(() => (resumes === undefined ? this.#stopOpen() : this.#adopt(resumes)));
    this.#sessionId = String(database.prepare('SELECT id FROM session').get()?.id);
    this.session = {
      sessionId: this.#sessionId,
      path,
      nextExchangeId: this.#highestId('exchange') + 1,
      nextConnectionId: this.#highestId('connection') + 1,
    };
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  /** Writes a batch in one transaction. Throws `session.write-failed` and then leaves the file unchanged. */
  apply(batch: WriteBatch): void {
    this.#write(() => {
      this.#connections.insert(batch.connections);
      this.#exchanges.insert(batch.exchanges);
      this.#details.insert(batch.details);
      this.#messages.insert(batch.messages);
      this.#bodies.insert(batch);
    });
    this.#checkpoints?.wrote(batch);
  }

  /** Gives exchanges the marks of users, in one transaction. Throws `session.write-failed`. */
  mark(marks: SessionEdits['marks']): void {
    this.#write(() => {
      this.#database.exec(EDIT_TABLES);
      const write = this.#database.prepare('INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?)');
      for (const { id, mark } of marks) write.run(id, mark.pinned ? 1 : 0, mark.colour, mark.note);
    });
  }

  /**
   * Empties the session and changes its id. The file shrinks as far as readers allow. Throws `session.write-failed`.
   */
  clear(sessionId: string): void {
    this.#write(() => {
      this.#database.exec(
        'DELETE FROM message; DELETE FROM body; DELETE FROM body_start; DELETE FROM detail; DELETE FROM exchange',
      );
      this.#database.exec('DELETE FROM connection; DROP TABLE IF EXISTS removed; DROP TABLE IF EXISTS mark');
      this.#database.prepare('UPDATE session SET id = ?, created_at = ?').run(sessionId, Date.now());
    });
    this.#sessionId = sessionId;
    this.#watch.mayShrink();
    try {
      this.#database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // A reader is active, or the disk is full: later writes reuse the free pages.
    }
  }

  /** The file's state (`FileFate`). Throws the system's or SQLite's error. */
  fate(): FileFate {
    const number = (name: string) => pragmaNumber(this.#database, name);
    return this.#watch.look(() => number('page_count') * number('page_size'));
  }

  /** Copies the session to the empty file at `target`, even if our file was unlinked. Throws SQLite's error. */
  copyTo(target: string): void {
    this.#database.prepare('VACUUM INTO ?').run(target);
  }

  /** False if the log was damaged. One that was removed or replaced is whole for us: we have it open. */
  isLogIntact(): boolean {
    try {
      return this.#watch.isLogIntact();
    } catch {
      // It can't be opened: too many files are open, for example.
      return true;
    }
  }

  /** Exchanges that ended, from this id on. */
  endedFrom(id: number): number {
    const count = 'SELECT count(*) AS count FROM exchange WHERE id >= ? AND open = 0';
    return Number(this.#database.prepare(count).get(id)?.count);
  }

  /** Releases a file that is no longer the session's, without writing to it. */
  abandon(fate: Exclude<FileFate, 'there'>): void {
    this.#closed = true;
    this.#checkpoints?.letGo();
    this.#database.close();
    this.#lock.release();
    // What is left of a damaged file may be of use together with its log.
    if (fate !== 'damaged') this.#watch.removeLog();
  }

  /** Ends the session cleanly: no open exchanges, and everything in one file. Further calls do nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.#write(() => this.#stopOpen());
    } finally {
      this.#emptyLog();
      this.#checkpoints?.close();
      this.#database.close();
      this.#lock.release();
    }
  }

  /** A process that follows the session keeps the log: it would look like one that a crash left. */
  #emptyLog(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The disk is full, for example: the session is then read from both files.
    }
  }

  #adopt(sessionId: string): void {
    const empty = 'NOT EXISTS (SELECT 1 FROM exchange)';
    this.#database.prepare(`UPDATE session SET id = ? WHERE ${empty}`).run(sessionId);
  }

  /**
   * Marks open exchanges as failed. A damaged row stays as it is: its text can't be changed as JSON, and the others
   * must be marked.
   */
  #stopOpen(): void {
    const stopped = failure('engine.stopped', {});
    this.#database
      .prepare(
        `UPDATE detail SET row = json_set(row, '${FAILURE_PLACE}', json(?))
         WHERE exchange IN (SELECT id FROM exchange WHERE open = 1) AND json_valid(row)`,
      )
      .run(JSON.stringify(stopped));
    this.#database
      .prepare(
        `UPDATE exchange SET open = 0,
           row = json_set(row, '${REVISION}', row ->> '${REVISION}' + 1, '${STATE}', 'failed', '${FAILURE}', ?)
         WHERE open = 1 AND json_valid(row)`,
      )
      .run(stopped.code);
  }

  #highestId(table: 'exchange' | 'connection'): number {
    return Number(this.#database.prepare(`SELECT max(id) AS id FROM ${table}`).get()?.id ?? 0);
  }

  #write(work: () => void): void {
    try {
      this.#transaction(work);
    } catch (error) {
      throw new WriteRefused('session.write-failed', this.#path, error);
    }
  }

  /** Throws SQLite's error. */
  #transaction(work: () => void): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  #rollback(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back, as it does after a full disk or a failed write.
    }
  }
}

function openForWriting(path: string): DatabaseSync {
  // A session holds cookies and passwords that only the user may read. SQLite gives its side files the same mode. The
  // descriptor of an existing file would take the locks of its readers with it (`withDescriptor`).
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    checkSchema(database);
    // NORMAL: a commit costs no fsync. Commits survive a killed process; only a power failure can lose them.
    database.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    // Pages are hardly ever read again: a cache of 32 MiB was no faster for writing.
    database.exec('PRAGMA cache_size = -4096; PRAGMA wal_autocheckpoint = 2048');
    migrate(database, randomUUID());
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
