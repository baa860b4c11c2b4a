import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { isWritable } from '../../electron/files/is-writable.ts';
import { electronForTests } from '../support/electron-for-tests.ts';
import { hasProgram } from '../support/has-program.ts';
import { packageApp } from '../support/packaged-app.ts';

export const ELECTRON = electronForTests();
export const HAS_ELECTRON = ELECTRON !== null && process.platform === 'linux' && hasProgram('Xvfb', '-help');

/** As electron-builder uses it from this machine: `gem install fpm`. */
export const HAS_FPM = hasProgram('fpm');

/** Its folder has mksquashfs, desktop-file-validate, runtimes/runtime-x64 and lib/x64. */
export const HAS_APPIMAGE_TOOLS = process.env.APPIMAGE_TOOLS_PATH !== undefined;

/** An AppImage mounts itself with these. */
export const CAN_MOUNT = isWritable('/dev/fuse') && hasProgram('fusermount3', '--version');

/** electron-builder's archives: Debian's p7zip-full. */
export const HAS_7Z = hasProgram('7za', 'i');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-packages-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A new folder below the one that is removed after the tests. */
export function newFolder(name: string): string {
  return fs.mkdtempSync(path.join(folder, `${name}-`));
}

const built = new Map<string, string>();

/**
 * The file that a target of electron-builder (`deb`, `AppImage`) yields, built with the tools of this machine. Tests
 * share it.
 */
export function builtPackage(target: string): string {
  const known = built.get(target) ?? build(target);
  built.set(target, known);
  return known;
}

function build(target: string): string {
  const place = newFolder(target);
  packageApp(ELECTRON ?? '', place, [target], { USE_SYSTEM_FPM: 'true', ELECTRON_BUILDER_7ZIP_PATH: '/usr/bin/7za' });
  const out = path.join(place, 'out');
  const name = fs.readdirSync(out).find((file) => file.endsWith(`.${target}`));
  if (name === undefined) throw new Error(`no ${target} in ${fs.readdirSync(out).join(', ')}`);
  return path.join(out, name);
}
