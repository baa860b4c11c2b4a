import { describe, systemCode } from '../failures/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk reported an error',
};

/** Why a file could not be read, as part of a sentence. */
export function readProblem(error: unknown): string {
  return REASONS[systemCode(error) ?? ''] ?? describe(error);
}
