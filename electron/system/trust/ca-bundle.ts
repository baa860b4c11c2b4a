import fs from 'node:fs';
import path from 'node:path';
import { certificatesIn, trustedRoots } from '../../engine/ca/system-roots.ts';
import { replaceFile } from '../../files/publish-file.ts';

function holds(file: string, text: string): boolean {
  try {
    return fs.readFileSync(file, 'latin1') === text;
  } catch {
    return false;
  }
}

function certificatesOf(file: string): string[] {
  try {
    return certificatesIn(fs.readFileSync(file, 'latin1'));
  } catch {
    // A variable with an invalid path had no effect before either.
    return [];
  }
}

/**
 * `ca-bundle.crt` in the data folder: this machine's roots, Node's and our CA, for the variables that replace a
 * program's roots. `own`: files that the user's variables already name, kept valid. Written if missing or out of date.
 * Returns its path.
 */
export function writeCaBundle(caPath: string, dataFolder: string, own: readonly string[] = []): string {
  const file = path.join(dataFolder, 'ca-bundle.crt');
  const ours = fs.readFileSync(caPath, 'latin1').trim();
  const certificates = new Set([ours, ...trustedRoots(), ...[...new Set(own)].flatMap(certificatesOf)]);
  const text = `${[...certificates].join('\n')}\n`;
  if (!holds(file, text)) replaceFile(file, text, 0o644);
  return file;
}
