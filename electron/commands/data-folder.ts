import os from 'node:os';
import path from 'node:path';

/** Both hosts' default folder for settings, CA and sessions: the system's standard place for application data. */
export function defaultDataFolder(
  platform: string = process.platform,
  env: Readonly<Record<string, string | undefined>> = process.env,
  /** A container's user can have none. */
  home: () => string = () => os.homedir(),
): string {
  if (platform === 'darwin') return path.posix.join(home(), 'Library', 'Application Support', 'Roundtrip');
  if (platform === 'win32') {
    return path.win32.join(env.APPDATA || path.win32.join(home(), 'AppData', 'Roaming'), 'Roundtrip');
  }
  // XDG Base Directory Specification: relative paths must be ignored.
  const data = env.XDG_DATA_HOME;
  const folder = data && path.posix.isAbsolute(data) ? data : path.posix.join(home(), '.local', 'share');
  return path.posix.join(folder, 'roundtrip');
}
