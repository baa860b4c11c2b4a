import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../failures/errors.ts';

/** The errors of file systems without hard links (FAT, some network shares). */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function writeDurably(file: string, data: string | Buffer, mode: number): void {
  const handle = fs.openSync(file, 'wx', mode);
  try {
    fs.writeFileSync(handle, data);
    // The umask may have removed bits that others need to read a certificate; it never adds any.
    fs.fchmodSync(handle, mode);
    fs.fsyncSync(handle);
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw error;
  } finally {
    fs.closeSync(handle);
  }
}

function beside(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(6).toString('hex')}`);
}

function takeName(temporary: string, file: string): boolean {
  try {
    fs.linkSync(temporary, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!NO_LINKS.has(systemCode(error) ?? '')) throw error;
  }
  if (fs.existsSync(file)) return false;
  fs.renameSync(temporary, file);
  return true;
}

/**
 * Publishes a complete file once. If several processes do so at the same time, one wins, and no reader ever sees a
 * partial file (link(2) refuses an existing name; rename(2) would replace it). False: the file already existed.
 */
export function publishOnce(file: string, data: string | Buffer, mode: number): boolean {
  const temporary = beside(file);
  writeDurably(temporary, data, mode);
  try {
    return takeName(temporary, file);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Replaces a file as a whole; readers see the old or the new one, never a partial one. */
export function replaceFile(file: string, data: string | Buffer, mode: number): void {
  const temporary = beside(file);
  writeDurably(temporary, data, mode);
  try {
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
