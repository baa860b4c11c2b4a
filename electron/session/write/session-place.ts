import { accessSync, constants, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../failures/errors.ts';
import { fileProblem } from '../../files/file-problem.ts';
import { lockFileOf } from '../format/lock-file.ts';

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
  // The longest name that SQLite gives to a file next to it.
  lookAt(`${lockFileOf(file)}-journal`);
  const found = lookAt(file);
  if (found === undefined) return;
  if (found.isDirectory()) throw new Error('a folder has that name');
  if (!found.isFile()) throw new Error('it is not a regular file');
  if (!mayWrite(file)) throw new Error('it is read-only');
  // SQLite would remove the log.
  if (found.size === 0 && (lookAt(`${file}-wal`)?.size ?? 0) > 0)
    throw new Error(
      'it is empty, but its log (-wal) is not: open the session to read the log, or move both files away',
    );
}

function mayWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function lookAt(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw withReason(error, file);
  }
}

function withReason(error: unknown, file: string): Error {
  return Object.assign(new Error(fileProblem(error, file)), { code: systemCode(error) ?? undefined });
}
