import { randomUUID } from 'node:crypto';
import { chmodSync, constants, existsSync, renameSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { isBeingRecorded } from '../format/lock-file.ts';
import { copyLockedInSteps } from '../format/locked-file.ts';
import { APPLICATION_ID } from '../format/session-schema.ts';
import { backup, DatabaseSync } from '../format/sqlite.ts';
import { withoutLinks } from '../format/without-links.ts';

/** Pages that a backup copies at once: it begins again whenever a recorder writes between two of its steps. */
const ALL_PAGES = 2 ** 31 - 1;
const SIDE_FILES = ['-wal', '-shm'];

/**
 * Copies a session file to `copy`, where nothing may be. The copy is another session, which can be open next to the
 * first. Rejects with the system's or SQLite's error; a failed copy leaves nothing behind.
 */
export async function duplicateSession(own: string, copy: string): Promise<void> {
  // A name that the list leaves out: half a copy must not look like a session.
  const unfinished = `${copy}.unfinished`;
  try {
    const isRecorded = isBeingRecorded(own);
    if (isRecorded) await copyRecorded(own, unfinished);
    else await copyLockedInSteps(own, unfinished);
    // The log first: a file without its log would look like a closed one. Its recovery is for whoever opens the copy.
    if (!isRecorded && existsSync(`${own}-wal`))
      await copyFile(`${own}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE);
    else giveNewId(unfinished);
    renameSync(unfinished, copy);
  } catch (error) {
    for (const part of [unfinished, ...SIDE_FILES.map((suffix) => unfinished + suffix), `${copy}-wal`])
      rmSync(part, { force: true });
    throw error;
  }
}

/**
 * What its writer committed. On a thread of Node's pool: a large session takes seconds. No statement may be prepared on
 * this connection: the collection of one as garbage waits for the backup, and the host's thread with it.
 */
async function copyRecorded(own: string, target: string): Promise<void> {
  const database = new DatabaseSync(withoutLinks(own), { readOnly: true });
  try {
    await backup(database, target, { rate: ALL_PAGES });
  } finally {
    database.close();
  }
}

/** Windows know sessions by their ids. What is not a session stays as it is. */
function giveNewId(file: string): void {
  let database: DatabaseSync | undefined;
  try {
    // The copy of a file that may only be read may be changed.
    chmodSync(file, 0o600);
    database = new DatabaseSync(file);
    if (database.prepare('PRAGMA application_id').get()?.application_id !== APPLICATION_ID) return;
    // With it, SQLite would wait until the disk has the whole copy: 3 s for 1.7 GB, on the host's thread.
    database.exec('PRAGMA synchronous = OFF');
    database.prepare('UPDATE session SET id = ?').run(randomUUID());
  } catch {
    // Damaged, or another program's: it can't be opened as a session either, or is read in part.
  } finally {
    database?.close();
    for (const suffix of SIDE_FILES) rmSync(file + suffix, { force: true });
  }
}
