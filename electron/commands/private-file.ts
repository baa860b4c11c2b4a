import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readOwnFile } from '../files/own-file.ts';

/**
 * Replaces a file's content atomically; only the owner can read the file. A reader, or a start after a power cut, sees
 * either the old or the new content, never a part. Throws what the file system throws.
 */
export function writePrivateFile(file: string, content: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    const descriptor = fs.openSync(next, 'wx', 0o600);
    try {
      fs.writeFileSync(descriptor, content);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(next, file);
  } catch (error) {
    fs.rmSync(next, { force: true });
    throw error;
  }
}

/** Returns the text of a file, or null if it does not exist. Throws on any other failure. */
export function readIfThere(file: string): string | null {
  return readOwnFile(file)?.toString('utf8') ?? null;
}
