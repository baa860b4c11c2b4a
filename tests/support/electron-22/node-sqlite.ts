import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';

/** The part of `node:sqlite` that the product uses, on libsql's native SQLite. Node 22.5 added `node:sqlite`. */
export class DatabaseSync {
  readonly #database: Libsql.Database;

  /** A URL marks a file as unchanging; libsql has no such option. */
  constructor(place: string | URL, { readOnly = false }: { readOnly?: boolean } = {}) {
    const path = typeof place === 'string' ? place : fileURLToPath(place);
    if (readOnly && !existsSync(path)) throw new Error('unable to open database file');
    this.#database = new Libsql(path);
    // libsql always opens for writing.
    if (readOnly) this.exec('PRAGMA query_only = ON');
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  prepare(sql: string): StatementSync {
    return new StatementSync(this.#database.prepare(sql));
  }

  close(): void {
    this.#database.close();
  }
}

type Row = Record<string, unknown>;

export class StatementSync {
  readonly #statement: Libsql.Statement<unknown[]>;

  constructor(statement: Libsql.Statement<unknown[]>) {
    this.#statement = statement;
  }

  /** Node 24: rows as arrays of cells. */
  setReturnArrays(on: boolean): void {
    this.#statement.raw(on);
  }

  run(...values: unknown[]): void {
    this.#statement.run(values.map(bindable));
  }

  get(...values: unknown[]): Row | undefined {
    const row = this.#statement.get(values.map(bindable));
    return row === undefined ? undefined : plain(row as Row);
  }

  *iterate(...values: unknown[]): Iterable<Row> {
    for (const row of this.#statement.iterate(values.map(bindable))) yield plain(row as Row);
  }

  all(...values: unknown[]): Row[] {
    return (this.#statement.all(values.map(bindable)) as Row[]).map(plain);
  }
}

/** libsql accepts bytes only as a Buffer. */
function bindable(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

/** Without what libsql adds. */
function plain(whole: Row): Row {
  if (Array.isArray(whole)) return whole;
  const { _metadata, ...row } = whole;
  return row;
}
