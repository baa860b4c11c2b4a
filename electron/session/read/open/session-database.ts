import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { SessionUse } from '../../format/session-use.ts';
import type { DatabaseSync } from '../../format/sqlite.ts';
import { isDamage, type OpenedDatabase, openToRead, salvagedCopy } from './open-to-read.ts';

type Row = Record<string, SQLOutputValue>;

/**
 * The database of a session file, open to read, with its prepared statements. A damaged page appears only when a query
 * reads it: the file is then salvaged into a copy, and the query runs again there.
 */
export class SessionDatabase {
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();
  readonly #mark: SessionUse;
  #opened: OpenedDatabase;
  #maySalvage: boolean;
  #opens = 1;

  /** Throws like `openToRead`. */
  constructor(path: string) {
    this.#path = path;
    this.#mark = new SessionUse(path);
    try {
      this.#opened = openToRead(path);
    } catch (error) {
      this.#mark.release();
      throw error;
    }
    this.#maySalvage = !this.#opened.follows && this.#opened.notice === null;
  }

  /** One sentence for the user if the file could not be read completely; null: it could. */
  get notice(): string | null {
    return this.#opened.notice;
  }

  /** Whether it shows later writes. */
  get follows(): boolean {
    return this.#opened.follows;
  }

  /** Differs once another connection has written to the file, or the file was opened again. */
  get version(): string {
    return `${this.#opens} ${this.get('PRAGMA data_version')?.data_version}`;
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#asked((database) => this.#prepared(database, sql, false).get(...values));
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#asked((database) => this.#prepared(database, sql, false).all(...values));
  }

  /** Rows as arrays of cells: objects take 1.5 times as long. */
  arrays<R>(sql: string, ...values: SQLInputValue[]): R[] {
    return this.#asked((database) => this.#prepared(database, sql, true).all(...values)) as unknown as R[];
  }

  close(): void {
    this.#opened.close();
    this.#mark.release();
  }

  #asked<T>(ask: (database: DatabaseSync) => T): T {
    try {
      return ask(this.#opened.database);
    } catch (error) {
      if (!this.#maySalvage || !isDamage(error)) throw error;
      // Another process may have changed the file, which is read as one that does not change.
      this.#use(openToRead(this.#path));
      return this.#askedAgain(ask);
    }
  }

  #askedAgain<T>(ask: (database: DatabaseSync) => T): T {
    try {
      return ask(this.#opened.database);
    } catch (error) {
      if (!this.#maySalvage || !isDamage(error)) throw error;
      this.#use(salvagedCopy(this.#path));
      return ask(this.#opened.database);
    }
  }

  #use(opened: OpenedDatabase): void {
    this.#statements.clear();
    this.#opened.close();
    this.#opened = opened;
    this.#opens += 1;
    this.#maySalvage = !opened.follows && opened.notice === null;
  }

  #prepared(database: DatabaseSync, sql: string, isArrays: boolean): StatementSync {
    const statement = this.#statements.get(sql) ?? database.prepare(sql);
    statement.setReturnArrays(isArrays);
    this.#statements.set(sql, statement);
    return statement;
  }
}
