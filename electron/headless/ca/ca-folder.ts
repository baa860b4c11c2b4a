import path from 'node:path';
import { isSealedKey } from '../../engine/ca/ca-files.ts';
import { readOwnFile } from '../../files/own-file.ts';

/**
 * The folder of the command line's CA. If the desktop app has encrypted its key with the system's keychain, which only
 * the app can open, the command line keeps a separate CA.
 */
export function caFolderOf(dataFolder: string): string {
  try {
    const key = readOwnFile(path.join(dataFolder, 'ca.key'));
    return key !== null && isSealedKey(key) ? path.join(dataFolder, 'command-line') : dataFolder;
  } catch {
    return dataFolder;
  }
}
