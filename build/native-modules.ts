import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export type TargetPlatform = 'linux' | 'win32' | 'darwin';
export type TargetArch = 'x64' | 'arm64';

/**
 * The folder that holds koffi's native module for a target and no other: npm installs only this machine's. Downloads it
 * from npm's registry the first time. Throws if that fails.
 */
export function nativeModule(root: string, platform: TargetPlatform, arch: TargetArch): string {
  const manifest = fs.readFileSync(path.join(root, 'node_modules/koffi/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const name = `koffi-${platform}-${arch}`;
  const installed = path.join(root, 'node_modules/@koromix', name);
  if (fs.existsSync(installed)) return installed;
  const cache = path.join(root, 'node_modules/.cache/roundtrip-natives', version);
  const folder = path.join(cache, name);
  if (fs.existsSync(folder)) return folder;
  fs.mkdirSync(cache, { recursive: true });
  const unpacked = fs.mkdtempSync(path.join(cache, `${name}-`));
  const npm = { cwd: unpacked, shell: process.platform === 'win32' };
  const file = execFileSync('npm', ['pack', `@koromix/${name}@${version}`, '--silent'], npm)
    .toString()
    .trim();
  execFileSync('tar', ['-xzf', file.split('\n').at(-1) ?? ''], { cwd: unpacked });
  fs.renameSync(path.join(unpacked, 'package'), folder);
  fs.rmSync(unpacked, { recursive: true });
  return folder;
}
