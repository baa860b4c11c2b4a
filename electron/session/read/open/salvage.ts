import { randomUUID } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import { EDIT_TABLES, migrate } from '../../format/session-schema.ts';
import { DatabaseSync } from '../../format/sqlite.ts';

/** Rows that are skipped at once after a damaged one; doubles with each further failure. */
const FIRST_STEP = 1;
/** After this many failed tries in a row, there is nothing more to find. */
const MOST_STEPS = 40;

/**
 * The end of a long text may lie in a page that is missing, which reads as zeros. A row without its details can't be
 * shown.
 */
const WITHOUT_DAMAGE = `
  DELETE FROM detail WHERE NOT json_valid(row);
  DELETE FROM exchange WHERE NOT json_valid(row) OR id NOT IN (SELECT exchange FROM detail);
  UPDATE connection SET tls = NULL WHERE NOT json_valid(tls);
  UPDATE connection SET ended = NULL WHERE NOT json_valid(ended);
  COMMIT`;

/** Ends a read that damaged pages lead in a circle. */
const MOST_MESSAGES = 10_000_000;

const TABLES = [
  { name: 'connection', key: 'id' },
  { name: 'exchange', key: 'id' },
  { name: 'detail', key: 'exchange' },
  { name: 'body_start', key: 'body' },
  { name: 'body', key: 'rowid' },
  // Without them, exchanges that the user removed would come back.
  { name: 'removed', key: 'first' },
  { name: 'mark', key: 'exchange' },
] as const;

/**
 * Copies the readable part of the damaged session file at `copy` into a new one next to it. Throws an Error with the
 * reason as part of a sentence if nothing can be read.
 */
export function salvaged(copy: string): { database: DatabaseSync; notice: string } {
  const damaged = new DatabaseSync(copy);
  const target = new DatabaseSync(`${copy}-salvaged`);
  try {
    migrate(target, randomUUID());
    target.exec(EDIT_TABLES);
    copySession(damaged, target);
    target.exec('BEGIN');
    for (const table of TABLES) copyTable(damaged, target, table);
    copyMessages(damaged, target);
    target.exec(WITHOUT_DAMAGE);
    const read = Number(target.prepare('SELECT count(*) AS n FROM exchange').get()?.n);
    if (read === 0) throw new Error('it is damaged, and none of it can be read');
    const count = read === 1 ? '1 exchange' : `${read.toLocaleString('en')} exchanges`;
    return {
      database: target,
      notice: `This session file is damaged: ${count} could be read, and others may be missing.`,
    };
  } catch (error) {
    target.close();
    throw error;
  } finally {
    damaged.close();
  }
}

/** Its id and its date. Without them it gets a new id, and the current date. */
function copySession(damaged: DatabaseSync, target: DatabaseSync): void {
  try {
    const session = damaged.prepare('SELECT id, created_at FROM session').get();
    if (typeof session?.id === 'string')
      target.prepare('UPDATE session SET id = ?, created_at = ?').run(session.id, Number(session.created_at));
  } catch {
    // It was in a damaged page.
  }
}

interface Table {
  name: string;
  key: string;
}

/** Row by row in the order of the keys. After a damaged page, it searches for the next readable key. */
function copyTable(damaged: DatabaseSync, target: DatabaseSync, { name, key }: Table): void {
  let next: StatementSync;
  try {
    next = damaged.prepare(`SELECT ${key} AS at, * FROM ${name} WHERE ${key} > ? ORDER BY ${key} LIMIT 1`);
  } catch {
    return;
  }
  let insert: StatementSync | null = null;
  let after = -1;
  let step = FIRST_STEP;
  for (let tries = 0; tries < MOST_STEPS; ) {
    try {
      const row = next.get(after);
      if (row === undefined) return;
      const { at, ...cells } = row;
      // Damaged pages may lead back to rows that were read.
      if (Number(at) <= after) throw new Error('out of order');
      insert ??= insertOf(target, name, Object.keys(cells));
      insert.run(...Object.values(cells));
      after = Number(at);
      step = FIRST_STEP;
      tries = 0;
    } catch {
      after += step;
      step *= 2;
      tries += 1;
    }
  }
}

/** By names: a file of an older version may lack the last columns. */
function insertOf(target: DatabaseSync, table: string, columns: readonly string[]): StatementSync {
  const places = columns.map(() => '?').join(', ');
  return target.prepare(`INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${places})`);
}

/** Messages have a key of two columns: reads those before a damaged page. */
function copyMessages(damaged: DatabaseSync, target: DatabaseSync): void {
  const insert = target.prepare('INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  try {
    const rows = damaged.prepare('SELECT * FROM message ORDER BY exchange, ordinal LIMIT ?');
    for (const row of rows.iterate(MOST_MESSAGES)) insert.run(...Object.values(row));
  } catch {
    // The rest is in damaged pages.
  }
}
