import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Rows per statement: a call into SQLite costs as much as a small row. */
const ROWS = 32;

/** Inserts rows into a table; each replaces an existing row with the same key. */
export class InsertedRows {
  readonly #columns: number;
  readonly #one: StatementSync;
  readonly #many: StatementSync;

  constructor(database: DatabaseSync, table: string, columns: readonly string[]) {
    const row = `(${columns.map(() => '?').join(', ')})`;
    const sql = `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES `;
    this.#columns = columns.length;
    this.#one = database.prepare(sql + row);
    this.#many = database.prepare(sql + Array(ROWS).fill(row).join(', '));
  }

  /** `cells`: the cells of all rows, in sequence. */
  insert(cells: readonly (string | number | null | Uint8Array)[] | Float64Array): void {
    const many = this.#columns * ROWS;
    let at = 0;
    for (; at + many <= cells.length; at += many) this.#many.run(...cells.slice(at, at + many));
    for (; at < cells.length; at += this.#columns) this.#one.run(...cells.slice(at, at + this.#columns));
  }
}
