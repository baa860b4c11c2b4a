import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import type { Failure } from '../../../shared/model/failure.ts';
import type { SessionEntry } from '../../../shared/model/session/session-entry.ts';
import { isBeingRecorded } from '../format/lock-file.ts';
import { withoutLinks } from '../format/without-links.ts';
import { lossIn } from '../read/open/log-loss.ts';
import { openProblem } from '../read/open/open-problem.ts';
import { openToRead, TooLargeToCopy } from '../read/open/open-to-read.ts';

/** Bytes of a file that is copied only for its facts. A damaged one of 8 MB took 0.3 s of CPU to be read. */
const COPY_LIMIT = 16 * 1024 * 1024;
/** Bytes of a log that is checked. That takes a quarter of a second. */
const LOG_LIMIT = 64 * 1024 * 1024;

/** Node puts this in the place of bytes that it can't read. */
const NOT_UTF8 = /\uFFFD/;

export type SessionFacts = Omit<SessionEntry, 'note'>;

/**
 * The facts about a session in the file itself. Never changes it, and never throws. The count and the date of a large
 * file that a crash left behind stay unknown until it is opened.
 */
export function lookAtSession(file: string): SessionFacts {
  const log = sizeOf(logOf(file));
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
    return { ...known, exchanges: null, startedAt: null, problem: problemOf(file, error) };
  }
}

function problemOf(file: string, error: unknown): string | null {
  if (NOT_UTF8.test(file)) return 'It cannot be opened: its name is not UTF-8. Rename the file.';
  if (!(error instanceof TooLargeToCopy)) return `It cannot be opened: ${openProblem(error)}.`;
  if (error.isDamaged) return 'This session file is damaged. Open it to read what is left.';
  return logLossOf(file)?.message ?? null;
}

/**
 * `session.log-damaged` if a killed recorder left a damaged log of the session. Null also for a log that is too long to
 * be checked at once.
 */
export function logLossOf(file: string): Failure | null {
  try {
    return isBeingRecorded(file) ? null : lossIn(logOf(file), LOG_LIMIT);
  } catch {
    // Opening the session reports why its log can't be read.
    return null;
  }
}

function logOf(file: string): string {
  return `${withoutLinks(file)}-wal`;
}

function sizeOf(file: string): number {
  return statOf(file)?.size ?? 0;
}

/** Undefined also for a link that leads nowhere, for example: opening it reports the reason. */
export function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
