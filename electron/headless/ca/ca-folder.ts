import fs from 'node:fs';
import path from 'node:path';
import { isSealedKey } from '../../engine/ca/ca-files.ts';

/**
 * Where the command line keeps its CA. The desktop app seals its key with the system's keychain, which only the app can
 * open; beside such a one the command line has a CA of its own.
 */
export function caFolderOf(dataFolder: string): string {
  try {
    const key = fs.readFileSync(path.join(dataFolder, 'ca.key'));
    return isSealedKey(key) ? path.join(dataFolder, 'command-line') : dataFolder;
  } catch {
    return dataFolder;
  }
}
