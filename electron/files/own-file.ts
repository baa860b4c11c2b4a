import fs from 'node:fs';
import { systemCode } from '../failures/errors.ts';

/**
 * Returns the content of a file of ours, or null if it does not exist. Throws what the file system throws, and an Error
 * for a pipe: opening one waits for another program, and no signal ends that wait.
 */
export function readOwnFile(file: string): Buffer | null {
  try {
    const found = fs.statSync(file);
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is not a regular file');
    return fs.readFileSync(file);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
