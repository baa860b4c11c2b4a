import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { electronForTests, isElectron22 } from './electron-for-tests.ts';
import { hasProgram } from './has-program.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Null if there is none. */
export const ELECTRON = electronForTests();
export const CAN_RUN_DESKTOP = ELECTRON !== null && process.platform === 'linux' && hasProgram('Xvfb', '-help');

/** The bundles that this Electron runs: the product's own, or those for the old one, built into `folder`. */
export function bundlesFor(folder: string): string {
  if (ELECTRON === null || !isElectron22(ELECTRON)) return path.join(ROOT, 'dist');
  const bundles = path.join(folder, 'bundles');
  execFileSync(process.execPath, ['build/build.ts', '--for-electron-22', bundles], { cwd: ROOT, stdio: 'pipe' });
  return bundles;
}
