import { statSync } from 'node:fs';
import path from 'node:path';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { isBeingRecorded } from '../format/lock-file.ts';
import { openProblem } from '../read/open/open-problem.ts';
import { openToRead, TooLargeToCopy } from '../read/open/open-to-read.ts';

/** Bytes of a file that is copied only for its facts. A damaged one of 8 MB took 0.3 s of CPU to be read. */
const COPY_LIMIT = 16 * 1024 * 1024;

export type SessionFacts = Omit<SessionEntry, 'note'>;

/**
 * The facts about a session in the file itself. Never changes it, and never throws. The count and the date of a large
 * file that a crash left behind stay unknown until it is opened.
 */
export function lookAtSession(file: string): SessionFacts {
  const log = sizeOf(`${file}-wal`);
  const ended = isBeingRecorded(file) ? 'recording' : log > 0 ? 'recovered' : 'closed';
  const name = path.basename(file).replace(/\.roundtrip$/, '');
  const known = { path: file, name, bytes: sizeOf(file) + log, ended } as const;
  try {
    const opened = openToRead(file, COPY_LIMIT);
    try {
      const { database, notice } = opened;
      const exchanges = Number(database.prepare('SELECT count(*) AS n FROM exchange').get()?.n);
      const startedAt = Number(database.prepare('SELECT created_at FROM session').get()?.created_at);
      return { ...known, exchanges, startedAt, problem: notice };
    } finally {
      opened.close();
    }
  } catch (error) {
    return { ...known, exchanges: null, startedAt: null, problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string | null {
  if (!(error instanceof TooLargeToCopy)) return `It cannot be opened: ${openProblem(error)}.`;
  return error.isDamaged ? 'This session file is damaged. Open it to read what is left.' : null;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
