import fs from 'node:fs';
import path from 'node:path';
import type { Failure } from '../../../shared/model/failure.ts';
import { describe, failure, systemCode } from '../../failures/errors.ts';

const OTHERS = 0o077;

/**
 * Restricts a key file to its owner, for example after a copy or a restored backup gave it mode 0644. Returns
 * `ca.key-exposed`, or null if the mode was fine. Windows has access lists instead of modes.
 */
export function tightenKeyFile(folder: string): Failure | null {
  if (process.platform === 'win32') return null;
  const file = path.join(folder, 'ca.key');
  try {
    const { mode } = fs.statSync(file);
    if ((mode & OTHERS) === 0) return null;
    fs.chmodSync(file, mode & 0o700);
    return failure('ca.key-exposed', { path: file, outcome: 'Its mode was changed: only you can read it now.' });
  } catch (error) {
    // No key yet.
    if (systemCode(error) === 'ENOENT') return null;
    return failure('ca.key-exposed', { path: file, outcome: `Its mode could not be changed: ${describe(error)}.` });
  }
}
