import { closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../failures/errors.ts';

/**
 * Reserves a free name next to `sessionPath`: `a-2.roundtrip` for `a.roundtrip`. Never the name itself, even if it is
 * free: connections to the former file (a reader's, for example) remove the side files of that name when they close.
 * Throws the system's error.
 */
export function takeNameBeside(sessionPath: string): string {
  const { dir, name, ext } = path.parse(sessionPath);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (let number = 2; ; number += 1) {
    const target = path.join(dir, `${name}-${number}${ext}`);
    if (existsSync(`${target}-wal`)) continue;
    try {
      closeSync(openSync(target, 'wx', 0o600));
      return target;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** Removes the files at a name from `takeNameBeside`. */
export function giveUpName(target: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${target}${suffix}`, { force: true });
}
