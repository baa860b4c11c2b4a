import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { NssPlace } from './nss-stores.ts';
import type { Environment } from './run-command.ts';

function home(env: Environment): string {
  return env.HOME || os.homedir();
}

/**
 * Chromium moved its database in M146 to ~/.local/share/pki/nssdb, but goes on with the old one where that exists. So the
 * old one is right for every version, unless only the new one is there. Snap packages have their own home.
 */
export function chromiumPlace(env: Environment): NssPlace {
  const old = path.join(home(env), '.pki/nssdb');
  const current = path.join(home(env), '.local/share/pki/nssdb');
  const snaps = ['chromium', 'brave'].map((name) => path.join(home(env), 'snap', name, 'current'));
  return {
    name: 'nss',
    label: 'Chromium (NSS)',
    folders: () => [
      !fs.existsSync(old) && fs.existsSync(current) ? current : old,
      ...snaps.filter((folder) => fs.existsSync(folder)).map((folder) => path.join(folder, '.pki/nssdb')),
    ],
    none: 'no place for the database',
  };
}

/** Where Firefox keeps profiles.ini: packages, XDG (147 on), snap, flatpak; macOS. */
const FIREFOX_FOLDERS: Record<string, string[]> = {
  linux: [
    '.mozilla/firefox',
    '.config/mozilla/firefox',
    'snap/firefox/common/.mozilla/firefox',
    '.var/app/org.mozilla.firefox/.mozilla/firefox',
  ],
  darwin: ['Library/Application Support/Firefox'],
};

/** The profile folders that a profiles.ini names. */
export function parseProfiles(ini: string, folder: string): string[] {
  return ini.split(/^(?=\[)/m).flatMap((section) => {
    if (!/^\[Profile\d+\]/.test(section)) return [];
    const value = /^Path=(.+?)\r?$/m.exec(section)?.[1];
    if (value === undefined) return [];
    return [/^IsRelative=0/m.test(section) ? value : path.join(folder, value)];
  });
}

function firefoxProfiles(env: Environment, platform: string): string[] {
  const folders = (FIREFOX_FOLDERS[platform] ?? []).map((folder) => path.join(home(env), folder));
  const found = folders.flatMap((folder) => {
    const ini = path.join(folder, 'profiles.ini');
    return fs.existsSync(ini) ? parseProfiles(fs.readFileSync(ini, 'utf8'), folder) : [];
  });
  return [...new Set(found)].filter((folder) => fs.existsSync(folder));
}

/** Every Firefox profile of this user. Windows' Firefox reads Windows' own store (since 120), and has no certutil. */
export function firefoxPlace(env: Environment, platform: string): NssPlace {
  const none = platform === 'win32' ? 'Firefox reads the Windows store here' : 'no Firefox profile was found';
  return { name: 'firefox', label: 'Firefox', folders: () => firefoxProfiles(env, platform), none };
}
