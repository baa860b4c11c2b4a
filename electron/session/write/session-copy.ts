import { closeSync, copyFileSync, openSync } from 'node:fs';
import { copyLocked } from '../format/locked-file.ts';
import { DatabaseSync } from '../format/sqlite.ts';
import type { FileFate } from './session-file-watch.ts';
import { giveUpName } from './session-move.ts';
import type { SessionWriter } from './session-writer.ts';

/** What a copy holds of a session; null: nothing. */
export type Kept = 'all' | 'part' | null;

/**
 * Copies the session that `writer` has open at `path` to the empty file at `target`. SQLite's own copy may read pages
 * that another program wrote into the log. If it can't read them, the copy is what SQLite restores from the file and
 * the intact beginning of its log, as after a crash. Throws if an undamaged session can't be copied.
 */
export function copySession(writer: SessionWriter, path: string, target: string, fate: FileFate): Kept {
  try {
    writer.copyTo(target);
    return fate === 'damaged' && !writer.isLogIntact() ? 'part' : 'all';
  } catch (error) {
    giveUpName(target);
    if (fate !== 'damaged') throw error;
    if (isRestored(path, target, writer.sessionId)) return 'part';
    closeSync(openSync(target, 'wx', 0o600));
    return null;
  }
}

function isRestored(path: string, target: string, sessionId: string): boolean {
  try {
    copyLocked(path, target);
    copyFileSync(`${path}-wal`, `${target}-wal`);
    const copy = new DatabaseSync(target);
    try {
      const { quick_check: found } = copy.prepare('PRAGMA quick_check(1)').get() ?? {};
      if (found === 'ok' && copy.prepare('SELECT id FROM session').get()?.id === sessionId) return true;
    } finally {
      copy.close();
    }
  } catch {
    // Not even this can be read.
  }
  giveUpName(target);
  return false;
}
