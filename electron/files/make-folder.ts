import fs from 'node:fs';
import path from 'node:path';

/**
 * Creates a folder and its missing parents, readable by this user only. Throws the file system's error for the deepest
 * existing folder (`EROFS`, `EACCES`, `ENOTDIR`): Node's recursive `mkdir` reports `ENOENT` for all of these, which is
 * the wrong cause.
 */
export function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const above = lastThere(folder);
    if (!fs.statSync(above).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    fs.accessSync(above, fs.constants.W_OK);
    throw error;
  }
}

/** The folder, or the last one above it that exists. */
export function lastThere(folder: string): string {
  return fs.existsSync(folder) || path.dirname(folder) === folder ? folder : lastThere(path.dirname(folder));
}
