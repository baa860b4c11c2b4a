import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { firstBadFrame, readLogHead } from '../format/log-frames.ts';

/** Bytes of log that are checked. All of a longer one, at 250 MB a second here, would delay the end of a recording. */
const CHECKED = 64 * 1024 * 1024;

/**
 * Frames of the log in use: those after them are left from before a checkpoint. Null: SQLite can't tell now, or is
 * older than 3.51, for which NOOP is an ordinary checkpoint. Asks SQLite, although its index (`-shm`) has the number
 * too: on POSIX, a process that closes any descriptor of that file loses all its locks on it
 * (sqlite.org/howtocorrupt.html, section 2.2), and other programs would take the session for one that nobody has open.
 */
export function framesInUse(database: DatabaseSync): number | null {
  const [major = 0, minor = 0] = String(database.prepare('SELECT sqlite_version() AS version').get()?.version).split(
    '.',
  );
  if (Number(major) < 3 || (Number(major) === 3 && Number(minor) < 51)) return null;
  const found = database.prepare('PRAGMA wal_checkpoint(NOOP)').get();
  return found?.busy === 0 && Number(found.log) >= 0 ? Number(found.log) : null;
}

/**
 * Whether the write-ahead log of the open session at `path` is as SQLite wrote it. SQLite checks a log only when it
 * opens one that a dead process left: it would copy what another program wrote there into the session file, over pages
 * that were intact. Throws the system's error.
 */
export function isLogIntact(path: string, frames: number | null): boolean {
  if (frames === null || frames === 0) return true;
  const log = openSync(`${path}-wal`, 'r');
  try {
    const head = readLogHead(log);
    if (head === null) return false;
    const checked = Math.min(frames, Math.floor(CHECKED / head.size));
    return firstBadFrame(log, head, 0, checked) === checked;
  } finally {
    closeSync(log);
  }
}
