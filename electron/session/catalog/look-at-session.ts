import { statSync } from 'node:fs';
import path from 'node:path';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { isBeingRecorded } from '../format/lock-file.ts';
import { openProblem } from '../read/open/open-problem.ts';
import { openToRead } from '../read/open/open-to-read.ts';

/** What the file itself says about a session. Never changes it, and never throws. */
export function lookAtSession(file: string): Omit<SessionEntry, 'note'> {
  const log = sizeOf(`${file}-wal`);
  const ended = isBeingRecorded(file) ? 'recording' : log > 0 ? 'recovered' : 'closed';
  const name = path.basename(file).replace(/\.roundtrip$/, '');
  const known = { path: file, name, bytes: sizeOf(file) + log, ended } as const;
  try {
    const opened = openToRead(file);
    try {
      const { database, notice } = opened;
      const exchanges = Number(database.prepare('SELECT count(*) AS n FROM exchange').get()?.n);
      const startedAt = Number(database.prepare('SELECT created_at FROM session').get()?.created_at);
      return { ...known, exchanges, startedAt, problem: notice };
    } finally {
      opened.close();
    }
  } catch (error) {
    return { ...known, exchanges: null, startedAt: null, problem: `It cannot be opened: ${openProblem(error)}.` };
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
