import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * The folder of an unpacked Electron to test with: ELECTRON_OVERRIDE_DIST_PATH, or the old one that
 * `electron-for-tests` puts into the cache. Null if there is none.
 */
export function electronForTests(): string | null {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache');
  const places = [process.env.ELECTRON_OVERRIDE_DIST_PATH, path.join(cache, 'roundtrip/electron-22.3.25')];
  return places.find((place) => place !== undefined && fs.existsSync(path.join(place, 'electron'))) ?? null;
}

/** Bundles for it need stand-ins for what its Node lacks. */
export function isElectron22(folder: string): boolean {
  return fs.readFileSync(path.join(folder, 'version'), 'utf8').replace(/^v/, '').startsWith('22.');
}
