import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { describe, systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';

/**
 * Throws an Error with the reason as part of a sentence if no session file can be written at `file`. SQLite reports
 * most of these cases as "unable to open database file", and opening a pipe would wait forever for its other end.
 */
export function checkSessionPlace(file: string): void {
  try {
    const folder = statSync(path.dirname(file));
    if (!folder.isDirectory()) throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' });
    // The write-ahead log and the lock are next to the session file: the folder must be writable too.
    accessSync(path.dirname(file), constants.W_OK);
  } catch (error) {
    throw withReason(error, file);
  }
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new Error('a folder has that name');
  if (found && !found.isFile()) throw new Error('it is not a regular file');
}

function withReason(error: unknown, file: string): Error {
  return Object.assign(new Error(fileProblem(error, file)), { code: systemCode(error) ?? undefined });
}

/** Why a session could not be opened, as part of a sentence. */
export function sessionProblem(error: unknown): string {
  return describe(error).replace('database or disk is full', 'the disk is full');
}
