import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TrustStoreName } from '../../../shared/model/trust-store.ts';
import type { Environment } from '../run-command.ts';

/** An NSS database that a browser reads; it may not exist yet. */
export interface NssPlace {
  store: TrustStoreName;
  label: string;
  folder: string;
}

function home(env: Environment): string {
  return env.HOME || os.homedir();
}

/**
 * Snap packages have their own home; flatpaks of Chromium-based browsers keep `.pki` in theirs (`--persist=.pki` in
 * their manifests).
 */
const SNAPS = { chromium: 'Chromium', brave: 'Brave', opera: 'Opera' };
const FLATPAKS = {
  'org.chromium.Chromium': 'Chromium',
  'com.google.Chrome': 'Chrome',
  'com.microsoft.Edge': 'Edge',
  'com.brave.Browser': 'Brave',
  'com.vivaldi.Vivaldi': 'Vivaldi',
  'io.github.ungoogled_software.ungoogled_chromium': 'Ungoogled Chromium',
};

/**
 * Chromium M146 moved its database from ~/.pki/nssdb to pki/nssdb in the user's data folder, but keeps using the old
 * one if it exists. The old one therefore works for every version, unless only the new one exists.
 */
function databasesIn(oldHome: string, dataFolder: string): string[] {
  const [old, current] = [path.join(oldHome, '.pki/nssdb'), path.join(dataFolder, 'pki/nssdb')];
  const there = [old, current].filter((folder) => fs.existsSync(folder));
  return there.length > 0 ? there : [old];
}

/** The databases of Chrome, Chromium, Edge, Brave and Vivaldi on Linux. */
export function chromiumPlaces(env: Environment): NssPlace[] {
  const base = home(env);
  const place = (label: string) => (folder: string) => ({
    store: 'nss' as const,
    label,
    folder,
  });
  const data = env.XDG_DATA_HOME && path.isAbsolute(env.XDG_DATA_HOME) ? env.XDG_DATA_HOME : `${base}/.local/share`;
  const packaged = (names: Record<string, string>, kind: string, oldHome: (name: string) => string, share: string) =>
    Object.entries(names).flatMap(([name, label]) => {
      const folder = oldHome(name);
      return fs.existsSync(folder) ? databasesIn(folder, path.join(folder, share)).map(place(`${label}, ${kind}`)) : [];
    });
  return [
    ...databasesIn(base, data).map(place('Chrome, Chromium, Edge, Brave')),
    ...packaged(SNAPS, 'snap', (name) => path.join(base, 'snap', name, 'current'), '.local/share'),
    ...packaged(FLATPAKS, 'flatpak', (name) => path.join(base, '.var/app', name), 'data'),
  ];
}

/** Where Firefox keeps profiles.ini: packages, XDG (147 on), snap, flatpak; macOS. */
const FIREFOX_FOLDERS: Record<string, [folder: string, kind: string][]> = {
  linux: [
    ['.mozilla/firefox', ''],
    ['.config/mozilla/firefox', ''],
    ['snap/firefox/common/.mozilla/firefox', ', snap'],
    ['.var/app/org.mozilla.firefox/.mozilla/firefox', ', flatpak'],
    ['.var/app/org.mozilla.firefox/config/mozilla/firefox', ', flatpak'],
  ],
  darwin: [['Library/Application Support/Firefox', '']],
};

/** The profiles that a profiles.ini names, with their folders. */
function parseProfiles(ini: string, folder: string): { name: string; folder: string }[] {
  return ini.split(/^(?=\[)/m).flatMap((section) => {
    if (!/^\[Profile\d+\]/.test(section)) return [];
    const value = /^Path=(.+?)\r?$/m.exec(section)?.[1];
    if (value === undefined) return [];
    const name = /^Name=(.+?)\r?$/m.exec(section)?.[1] ?? path.basename(value);
    return [{ name, folder: /^IsRelative=0/m.test(section) ? value : path.join(folder, value) }];
  });
}

/** Every Firefox profile of this user. */
export function firefoxPlaces(env: Environment, platform: string): NssPlace[] {
  const found = new Map<string, NssPlace>();
  for (const [below, kind] of FIREFOX_FOLDERS[platform] ?? []) {
    const folder = path.join(home(env), below);
    const ini = path.join(folder, 'profiles.ini');
    const profiles = fs.existsSync(ini) ? parseProfiles(fs.readFileSync(ini, 'utf8'), folder) : [];
    for (const profile of profiles.filter((one) => fs.existsSync(one.folder))) {
      const label = `Firefox${kind}: ${profile.name}`;
      found.set(profile.folder, { store: 'firefox', label, folder: profile.folder });
    }
  }
  return [...found.values()];
}
