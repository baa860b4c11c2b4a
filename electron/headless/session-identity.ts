import fs from 'node:fs';

/** Identifies a file by device and inode, independent of its name. Null if there is no file. */
export function identityOf(file: string): string | null {
  const found = fs.statSync(file, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}
