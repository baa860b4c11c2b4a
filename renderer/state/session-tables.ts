import { ExchangeTable } from './exchange-table.ts';

/**
 * The rows of each open session: the one that is being recorded, which live changes go to, and those that were opened.
 */
export class SessionTables {
  readonly recorded = new ExchangeTable();
  readonly #opened = new Map<string, ExchangeTable>();
  readonly #onTable: (table: ExchangeTable) => void;

  /** `onTable`: called for each table once. */
  constructor(onTable: (table: ExchangeTable) => void) {
    this.#onTable = onTable;
    onTable(this.recorded);
  }

  /** Null, or the id of a session that is not open any more: the one that is being recorded. */
  of(session: string | null): ExchangeTable {
    return (session === null ? undefined : this.#opened.get(session)) ?? this.recorded;
  }

  /** Only for sessions that were opened: the recorded one has no fixed id. */
  has(session: string): boolean {
    return this.#opened.has(session);
  }

  /** An empty table for a session that was opened. Its id never changes, because nothing is recorded into it. */
  add(session: string): ExchangeTable {
    const table = new ExchangeTable();
    table.reset(session);
    this.#opened.set(session, table);
    this.#onTable(table);
    return table;
  }

  /** Forgets the rows of sessions that are not among these. */
  keep(sessions: ReadonlySet<string>): void {
    for (const id of this.#opened.keys()) if (!sessions.has(id)) this.#opened.delete(id);
  }
}
