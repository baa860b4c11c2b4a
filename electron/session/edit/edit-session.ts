import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type IdRange, NO_MARK, type UserMark } from '../../../shared/model/edits/session-edits.ts';
import { databaseProblem } from '../../failures/database-problem.ts';
import { roundtripError, systemCode } from '../../failures/errors.ts';
import { EDIT_TABLES } from '../format/session-schema.ts';
import { DatabaseSync } from '../format/sqlite.ts';

/** Milliseconds that an edit waits for the writer's lock. */
const BUSY_TIMEOUT = 2000;
/** Exchanges deleted in one transaction: the writer waits that long at most, about ten milliseconds. */
const DELETED_AT_ONCE = 200;

/**
 * Changes a session file in one transaction, next to the writer if the session is being recorded. Throws
 * `session.edit-failed`.
 */
function edit<T>(path: string, change: (database: DatabaseSync) => T): T {
  let database: DatabaseSync | undefined;
  try {
    database = openExisting(path);
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}; BEGIN IMMEDIATE; ${EDIT_TABLES}`);
    const result = change(database);
    database.exec('COMMIT');
    return result;
  } catch (error) {
    throw roundtripError('session.edit-failed', { path, detail: databaseProblem(error) }, systemCode(error));
  } finally {
    // Also rolls back what was not committed.
    database?.close();
  }
}

/** SQLite would create a file that was removed meanwhile. */
function openExisting(path: string): DatabaseSync {
  if (!existsSync(path)) throw new Error('it was removed');
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  return new DatabaseSync(url);
}

/** Hides exchanges; hidden ones stay hidden. Throws `session.edit-failed`. */
export function removeExchanges(path: string, ids: readonly number[]): void {
  edit(path, (database) => {
    const hidden = database.prepare('SELECT 1 FROM removed WHERE ? BETWEEN first AND last');
    const hide = database.prepare('INSERT INTO removed VALUES (?, ?)');
    for (const id of ids) if (hidden.get(id) === undefined) hide.run(id, id);
  });
}

/**
 * Hides all exchanges up to `upTo`. What was hidden before can no longer be restored: it is returned, for `purge`.
 * Throws `session.edit-failed`.
 */
export function clearExchanges(path: string, upTo: number): IdRange[] {
  return edit(path, (database) => {
    const before = database.prepare('SELECT first, last FROM removed').all();
    database.prepare('DELETE FROM removed').run();
    database.prepare('INSERT INTO removed VALUES (0, ?)').run(upTo);
    return before.map(({ first, last }) => ({ first: Number(first), last: Number(last) }));
  });
}

/** Shows hidden exchanges again, by the ranges in which they were hidden. Throws `session.edit-failed`. */
export function restoreExchanges(path: string, ranges: readonly IdRange[]): void {
  edit(path, (database) => {
    const show = database.prepare('DELETE FROM removed WHERE first >= ? AND last <= ?');
    for (const { first, last } of ranges) show.run(first, last);
  });
}

/** Replaces the marks of exchanges. Throws `session.edit-failed`. */
export function markExchanges(path: string, ids: readonly number[], mark: UserMark): void {
  const isEmpty = mark.pinned === NO_MARK.pinned && mark.colour === NO_MARK.colour && mark.note === NO_MARK.note;
  edit(path, (database) => {
    const remove = database.prepare('DELETE FROM mark WHERE exchange = ?');
    const write = database.prepare('INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?)');
    for (const id of ids) {
      if (isEmpty) remove.run(id);
      else write.run(id, mark.pinned ? 1 : 0, mark.colour, mark.note);
    }
  });
}

/** Permanently deletes exchanges, a few at a time. SQLite reuses their space for later exchanges. */
export async function purge(path: string, ranges: readonly IdRange[]): Promise<void> {
  for (const { first, last } of ranges) {
    for (let more = true; more; ) {
      more = edit(path, (database) => deleteSome(database, first, last));
      await nextTurn();
    }
  }
}

/** Returns whether any are left. */
function deleteSome(database: DatabaseSync, first: number, last: number): boolean {
  const found = database
    .prepare('SELECT id FROM exchange WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?')
    .all(first, last, DELETED_AT_ONCE)
    .map(({ id }) => Number(id));
  const [from, to] = [found[0], found.at(-1)];
  if (from === undefined || to === undefined) return false;
  database.prepare('DELETE FROM body WHERE exchange BETWEEN ? AND ?').run(from, to);
  database.prepare('DELETE FROM body_start WHERE body BETWEEN ? AND ?').run(from * 2, to * 2 + 1);
  database.prepare('DELETE FROM message WHERE exchange BETWEEN ? AND ?').run(from, to);
  database.prepare('DELETE FROM detail WHERE exchange BETWEEN ? AND ?').run(from, to);
  database.prepare('DELETE FROM mark WHERE exchange BETWEEN ? AND ?').run(from, to);
  database.prepare('DELETE FROM exchange WHERE id BETWEEN ? AND ?').run(from, to);
  return found.length === DELETED_AT_ONCE;
}
