import fs from 'node:fs';

/** Whether this user may write the file, or into the folder. False if there is none. */
export function isWritable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
