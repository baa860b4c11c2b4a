import fs from 'node:fs';
import { enableCompileCache } from 'node:module';
import os from 'node:os';
import path from 'node:path';

/** The system's standard place for files that may be deleted at any time. */
export function cacheFolder(
  platform: string = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
  /** A container's user can have none. */
  home: () => string = () => os.homedir(),
): string {
  if (platform === 'darwin') return path.posix.join(home(), 'Library', 'Caches', 'Roundtrip');
  if (platform === 'win32') {
    return path.win32.join(env.LOCALAPPDATA || path.win32.join(home(), 'AppData', 'Local'), 'Roundtrip', 'Cache');
  }
  // XDG Base Directory Specification: relative paths must be ignored.
  const cache = env.XDG_CACHE_HOME;
  return path.posix.join(
    cache && path.posix.isAbsolute(cache) ? cache : path.posix.join(home(), '.cache'),
    'roundtrip',
  );
}

/** Whether only this user and root can change what `folder`, a path without links, leads to. */
export function isOurs(folder: string): boolean {
  // On Windows the user's folder passes its access rights on.
  if (process.getuid === undefined) return true;
  const { uid, mode } = fs.statSync(folder);
  const isSticky = (mode & 0o1000) !== 0;
  if (uid !== 0 && uid !== process.getuid()) return false;
  if ((mode & 0o022) !== 0 && !isSticky) return false;
  const above = path.dirname(folder);
  return above === folder || isOurs(above);
}

/** The first folder that exists of this one and those above it, without links. */
function nearestFolder(folder: string): string {
  const above = path.dirname(folder);
  return above === folder || fs.existsSync(folder) ? fs.realpathSync(folder) : nearestFolder(above);
}

/**
 * Node then keeps the compiled code of our bundles from one start to the next: short commands take two thirds of the
 * processor time. Compiled code runs as it is, and whoever can write it runs code as this user: `sudo` can leave root
 * with the home of another user. Without a folder that only this user can write, nothing is kept, made or reported: a
 * folder of root's would keep the other user from keeping anything. Node itself follows NODE_DISABLE_COMPILE_CACHE and
 * NODE_COMPILE_CACHE.
 */
export function keepCompiledCode(): void {
  if (process.env.NODE_DISABLE_COMPILE_CACHE || process.env.NODE_COMPILE_CACHE) return;
  // The packaged app's program: what this saves there has not been measured.
  if ('electron' in process.versions) return;
  try {
    const wanted = path.join(cacheFolder(), 'compiled');
    if (!isOurs(nearestFolder(wanted))) return;
    fs.mkdirSync(wanted, { recursive: true, mode: 0o700 });
    const folder = fs.realpathSync(wanted);
    if (isOurs(folder)) enableCompileCache(folder);
  } catch {
    // A read-only home: the command starts as before.
  }
}
