import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Command, type Environment, findProgram } from '../run-command.ts';
import { KNOWN_BROWSERS, type KnownBrowser } from './browser-places.ts';

export interface Browser {
  /** `firefox`, `firefox-snap`. */
  id: string;
  name: string;
  /** The program. */
  path: string;
  /** Command that starts it; further arguments are appended. */
  command: Command;
  /** The folder where profiles must be: packaged browsers can't see the rest of the home folder. Null: anywhere. */
  profiles: string | null;
}

function native(id: string, name: string, place: string): Browser {
  return { id, name, path: place, command: [place], profiles: null };
}

/** Ubuntu's `firefox` and `chromium-browser` only start the snap. */
function startsSnap(file: string): boolean {
  try {
    if (path.basename(fs.realpathSync(file)) === 'snap') return true;
    return fs.statSync(file).size < 8192 && fs.readFileSync(file, 'latin1').includes('/snap/bin/');
  } catch {
    return false;
  }
}

/** Where this system would have a browser; on Linux only existing ones, by PATH. */
export function placesOf(browser: KnownBrowser, env: Environment, platform: string): string[] {
  if (platform === 'darwin') {
    const roots = ['/Applications', path.join(env.HOME || os.homedir(), 'Applications')];
    return roots.flatMap((root) => browser.darwin.map((place) => path.posix.join(root, place)));
  }
  if (platform === 'win32') {
    const roots = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
    return roots.flatMap((root) => browser.win32.map((place) => path.win32.join(root, place)));
  }
  const found = browser.linux.map((name) => findProgram(name, env)).filter((place) => place !== null);
  return found.filter((place) => !startsSnap(place));
}

/** Snaps can see ~/snap/NAME/common, but no folder in the home whose name begins with a dot. */
function snapOf({ id, name, snap }: KnownBrowser, env: Environment, root: string): Browser[] {
  const place = path.join(root, 'snap/bin', snap ?? '');
  if (snap === undefined || !fs.existsSync(place)) return [];
  const profiles = path.join(env.HOME || os.homedir(), 'snap', snap, 'common/roundtrip');
  return [{ id: `${id}-snap`, name: `${name} (snap)`, path: place, command: [place], profiles }];
}

/** Flatpaks can see ~/.var/app/ID; their programs are exported system-wide or per user. */
function flatpakOf({ id, name, flatpak }: KnownBrowser, env: Environment, root: string): Browser[] {
  const home = env.HOME || os.homedir();
  const flatpakProgram = findProgram('flatpak', env);
  if (flatpak === undefined || flatpakProgram === null) return [];
  const exported = [path.join(root, 'var/lib/flatpak'), path.join(home, '.local/share/flatpak')];
  const place = exported.map((folder) => path.join(folder, 'exports/bin', flatpak)).find((one) => fs.existsSync(one));
  if (place === undefined) return [];
  const profiles = path.join(home, '.var/app', flatpak, 'roundtrip');
  // flatpak-run(1): without --die-with-parent, the sandboxed program outlives the process that we start and end.
  const command: Command = [flatpakProgram, 'run', '--die-with-parent', flatpak];
  return [{ id: `${id}-flatpak`, name: `${name} (flatpak)`, path: place, command, profiles }];
}

/** CHROME_PATH, which other tools read too, takes precedence and replaces Chrome. */
function chosenByUser(env: Environment): Browser[] {
  const file = env.CHROME_PATH;
  return file && fs.existsSync(file) ? [native('chrome', 'Chrome (CHROME_PATH)', file)] : [];
}

/** The browsers that can be launched on this machine, one per kind and packaging. `root`: of the system's folders. */
export async function findBrowsers(
  env: Environment = process.env,
  platform: string = process.platform,
  root = '/',
): Promise<Browser[]> {
  const chosen = chosenByUser(env);
  const found = KNOWN_BROWSERS.flatMap((browser) => {
    const place = placesOf(browser, env, platform).find((one) => fs.existsSync(one));
    const own = place === undefined ? [] : [native(browser.id, browser.name, place)];
    return platform === 'linux' ? [...own, ...snapOf(browser, env, root), ...flatpakOf(browser, env, root)] : own;
  });
  return [...chosen, ...found.filter(({ id }) => !chosen.some((one) => one.id === id))];
}
