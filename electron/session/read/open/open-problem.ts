import { databaseProblem } from '../../../failures/database-problem.ts';
import { systemCode } from '../../../failures/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  EISDIR: 'it is a folder',
  ENOSPC: 'it must be copied to the temporary folder to be read, and that disk is full',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reported an error',
};

/** Why a session file could not be read, as part of a sentence. */
export function openProblem(error: unknown): string {
  const known = REASONS[systemCode(error) ?? ''];
  if (known !== undefined) return known;
  return databaseProblem(error);
}
