import fs from 'node:fs';
import path from 'node:path';
import { isSealedKey } from '../../engine/ca/ca-files.ts';

/**
 * The folder of the command line's CA. If the desktop app has encrypted its key with the system's keychain, which only
 * the app can open, the command line keeps a separate CA.
 */
export function caFolderOf(dataFolder: string): string {
  try {
    const key = fs.readFileSync(path.join(dataFolder, 'ca.key'));
    return isSealedKey(key) ? path.join(dataFolder, 'command-line') : dataFolder;
  } catch {
    return dataFolder;
  }
}
