import { existsSync } from 'node:fs';
import { DatabaseSync } from './sqlite.ts';

/** The file whose lock the writer of a session holds. */
export function lockFileOf(sessionPath: string): string {
  return `${sessionPath}-lock`;
}

/** Whether some process is recording into the session now. Leaves no file behind. */
export function isBeingRecorded(sessionPath: string): boolean {
  const path = lockFileOf(sessionPath);
  // Opening would create the file.
  if (!existsSync(path)) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec('BEGIN EXCLUSIVE; ROLLBACK');
    return false;
  } catch {
    return true;
  } finally {
    database?.close();
  }
}
