import type { DatabaseSync } from 'node:sqlite';
import { PIECE_FIELDS, type WriteBatch } from '../format/writer-protocol.ts';
import { InsertedRows } from './inserted-rows.ts';

/** Bytes. A longer first piece is not part of a multi-row insert, because SQLite copies all values of a statement. */
const SMALL = 4096;

/** Inserts body pieces into their two tables. */
export class InsertedBodies {
  readonly #starts: InsertedRows;
  readonly #rest: InsertedRows;

  constructor(database: DatabaseSync) {
    this.#starts = new InsertedRows(database, 'body_start', ['body', 'bytes']);
    this.#rest = new InsertedRows(database, 'body', ['exchange', 'side', 'offset', 'bytes']);
  }

  insert({ pieces, slabs }: Pick<WriteBatch, 'pieces' | 'slabs'>): void {
    const small: (number | Uint8Array)[] = [];
    for (let at = 0; at < pieces.length; at += PIECE_FIELDS) {
      const [exchange = 0, side = 0, offset = 0, slab = 0, start = 0, length = 0] = pieces.slice(at, at + PIECE_FIELDS);
      const buffer = slabs[slab];
      if (buffer === undefined) continue;
      const bytes = new Uint8Array(buffer, start, length);
      // Bodies of requests and responses begin in a separate table; those that rules replaced are few.
      if (offset > 0 || side > 1) this.#rest.insert([exchange, side, offset, bytes]);
      else if (length > SMALL) this.#starts.insert([exchange * 2 + side, bytes]);
      else small.push(exchange * 2 + side, bytes);
    }
    this.#starts.insert(small);
  }
}
