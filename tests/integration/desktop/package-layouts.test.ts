import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, describe, expect, it } from 'vitest';

const LAYOUTS = path.resolve('../shared/tools/electron-layout');

/** The path of Electron's files for a target; null if this machine can't get them. */
function layout(target: string): string | null {
  if (!fs.existsSync(LAYOUTS)) return null;
  try {
    return (
      execFileSync(LAYOUTS, [target], { stdio: ['ignore', 'pipe', 'ignore'] })
        .toString()
        .trim()
        .split('\n')
        .at(-1) ?? null
    );
  } catch {
    return null;
  }
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-layouts-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** `npm run dist:dir` for another system, with the existing bundles. */
function packaged(platform: string, arch: string, electron: string, unpacked: string): string {
  const out = path.join(folder, `${platform}-${arch}`);
  const parameters = ['--dir', '--platform', platform, '--arch', arch, '--bundles', 'dist', '--out', out];
  execFileSync(process.execPath, ['build/package.ts', ...parameters], {
    stdio: 'pipe',
    env: { ...process.env, ELECTRON_DIST: electron },
  });
  return path.join(out, unpacked);
}

function nativeModules(resources: string): string[] {
  const all = fs.readdirSync(path.join(resources, 'app.asar.unpacked'), { recursive: true }) as string[];
  return all.filter((file) => file.endsWith('.node')).map((file) => path.basename(path.dirname(file)));
}

/** Electron's version in the bill of materials. */
function electronInBill(resources: string): string {
  const { components } = JSON.parse(fs.readFileSync(path.join(resources, 'sbom.cdx.json'), 'utf8'));
  return components.find(({ name }: { name: string }) => name === 'electron')?.version;
}

const FOR_ALL = ['LICENSE.txt', 'THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json', 'bin', 'docs', 'app.asar'];

describe('a package for another system', () => {
  const windows = layout('win-x64');
  it.skipIf(windows === null)('win32 x64', async () => {
    const app = packaged('win32', 'x64', windows ?? '', 'win-unpacked');
    expect(nativeModules(path.join(app, 'resources'))).toEqual(['win32_x64']);
    expect(fs.readdirSync(path.join(app, 'resources'))).toEqual(expect.arrayContaining(FOR_ALL));
    expect(fs.readFileSync(path.join(app, 'resources/bin/roundtrip.cmd'), 'utf8')).toContain('\r\n');
    const fuses = await getCurrentFuseWire(path.join(app, 'Roundtrip.exe'));
    expect(fuses[FuseV1Options.OnlyLoadAppFromAsar]).toBe('1'.charCodeAt(0));
    expect(fuses[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe('0'.charCodeAt(0));
  });

  it.skipIf(layout('mac-arm64') === null || layout('mac-x64') === null).each([
    ['arm64', 'mac-arm64'],
    ['x64', 'mac'],
  ])('darwin %s', async (arch, unpacked) => {
    const app = packaged('darwin', arch, layout(`mac-${arch}`) ?? '', `${unpacked}/Roundtrip.app/Contents`);
    expect(nativeModules(path.join(app, 'Resources'))).toEqual([`darwin_${arch}`]);
    expect(fs.readdirSync(path.join(app, 'Resources'))).toEqual(expect.arrayContaining([...FOR_ALL, 'icon.icns']));
    const plist = fs.readFileSync(path.join(app, 'Info.plist'), 'utf8');
    expect(plist).toMatch(/<key>NSLocalNetworkUsageDescription<\/key>\s*<string>Roundtrip forwards/);
    expect(plist).toContain('<string>roundtrip</string>');
    expect(fs.statSync(path.join(app, 'Resources/bin/roundtrip')).mode & 0o111).not.toBe(0);
    const fuses = await getCurrentFuseWire(path.dirname(app));
    expect(fuses[FuseV1Options.OnlyLoadAppFromAsar]).toBe('1'.charCodeAt(0));
    expect(fuses[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe('0'.charCodeAt(0));
  });

  const linux = layout('linux-arm64');
  it.skipIf(linux === null)('linux arm64', () => {
    const app = packaged('linux', 'arm64', linux ?? '', 'linux-arm64-unpacked');
    expect(nativeModules(path.join(app, 'resources'))).toEqual(['linux_arm64']);
    expect(fs.readdirSync(path.join(app, 'resources'))).toEqual(expect.arrayContaining(FOR_ALL));
    expect(fs.readdirSync(path.join(app, 'resources/docs'))).toEqual(['rules.schema.json', 'script.d.ts']);
    const version = fs.readFileSync(path.join(linux ?? '', 'version'), 'utf8').trim();
    expect(electronInBill(path.join(app, 'resources'))).toBe(version.replace(/^v/, ''));
  });
});
