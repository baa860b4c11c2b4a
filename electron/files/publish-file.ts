import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../failures/errors.ts';

/** File systems without hard links (FAT, some network shares) say so in these ways. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function writeDurably(file: string, data: string | Buffer, mode: number): void {
  const handle = fs.openSync(file, 'wx', mode);
  try {
    fs.writeFileSync(handle, data);
    // The umask may have taken bits that others need to read a certificate, never added any.
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
 * Puts a whole file in place, once: of several processes that do so at the same time one wins, and no reader ever sees
 * half of it (link(2) refuses an existing name, where rename(2) would replace it). False: the file was already there.
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

/** Puts a whole file in place of what was there; readers see the old or the new, never half of one. */
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
