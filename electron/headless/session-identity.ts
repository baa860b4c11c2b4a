import fs from 'node:fs';

/** A file, whatever its name becomes. Null where there is none. */
export function identityOf(file: string): string | null {
  const found = fs.statSync(file, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}
