import fs from 'node:fs';
import path from 'node:path';

/**
 * Where the command line keeps its CA. The desktop app seals its key with the system's keychain, which only the app can
 * open; beside such a one the command line has a CA of its own.
 */
export function caFolderOf(dataFolder: string): string {
  try {
    const key = fs.readFileSync(path.join(dataFolder, 'ca.key'), 'latin1');
    return key.includes('-----BEGIN PRIVATE KEY-----') ? dataFolder : path.join(dataFolder, 'command-line');
  } catch {
    return dataFolder;
  }
}
