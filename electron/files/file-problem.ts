import path from 'node:path';
import { describe, systemCode } from '../failures/errors.ts';
import { lastThere } from './make-folder.ts';

/** Actionable explanations of common errors when writing a file. `folder`: the file's folder. */
const REASONS: Readonly<Record<string, (folder: string) => string>> = {
  ENOENT: (folder) => `the folder ${folder} does not exist`,
  ENOTDIR: (folder) => `${folder} is not a folder`,
  EACCES: (folder) => `you may not write to the folder ${folder}`,
  EPERM: (folder) => `you may not write to the folder ${folder}`,
  EROFS: (folder) => `the folder ${folder} is read-only`,
  ENOSPC: () => 'the disk is full',
  EFBIG: () => 'it is larger than the disk or the system allows',
  EDQUOT: () => 'your disk quota is used up',
  EISDIR: () => 'a folder has that name',
  EMFILE: () => 'this process has too many files open',
  ENFILE: () => 'the system has too many files open',
  ELOOP: () => 'its links lead in a circle',
  ENAMETOOLONG: () => 'its name is too long',
  EBUSY: () => 'another program has it open',
  EIO: () => 'the disk reported an error',
};

/** What stands in the way of a folder that does not exist is the last one above it that does. */
const OF_EXISTING: ReadonlySet<string> = new Set(['ENOTDIR', 'EACCES', 'EPERM', 'EROFS']);

/**
 * Why `file` could not be written, as part of a sentence. The system's own messages name temporary files and system
 * calls.
 */
export function fileProblem(error: unknown, file: string): string {
  const code = systemCode(error) ?? '';
  const folder = path.dirname(file);
  return REASONS[code]?.(OF_EXISTING.has(code) ? lastThere(folder) : folder) ?? describe(error);
}
