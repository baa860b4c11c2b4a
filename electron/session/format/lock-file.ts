import { existsSync } from 'node:fs';
import { DatabaseSync } from './sqlite.ts';
import { withoutLinks } from './without-links.ts';

/** The file whose lock the writer of a session holds. */
export function lockFileOf(sessionPath: string): string {
  return `${withoutLinks(sessionPath)}-lock`;
}

/**
 * Whether some process is recording into the session now. Leaves no file behind, and works on a read-only disk: a
 * killed recorder leaves its lock's file.
 */
export function isBeingRecorded(sessionPath: string): boolean {
  const path = lockFileOf(sessionPath);
  if (!existsSync(path)) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    // Reads, because that is refused only while another connection has the exclusive lock.
    database.exec('SELECT 1 FROM sqlite_master');
    return false;
  } catch (error) {
    return isLocked(error);
  } finally {
    database?.close();
  }
}

/** Whether another connection has a lock on the database. */
export function isLocked(error: unknown): boolean {
  return /locked|busy/i.test(String(error));
}
