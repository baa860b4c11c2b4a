import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, describe, expect, it } from 'vitest';

const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
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

const CONFIGURED = JSON.parse(fs.readFileSync('build/electron-builder.json', 'utf8'));
/** By FuseV1Options's names in electron-builder.json; the newest is missing from the Electron of these tests. */
const FUSES: [keyof typeof FuseV1Options, string][] = [
  ['RunAsNode', 'runAsNode'],
  ['EnableCookieEncryption', 'enableCookieEncryption'],
  ['EnableNodeOptionsEnvironmentVariable', 'enableNodeOptionsEnvironmentVariable'],
  ['EnableNodeCliInspectArguments', 'enableNodeCliInspectArguments'],
  ['EnableEmbeddedAsarIntegrityValidation', 'enableEmbeddedAsarIntegrityValidation'],
  ['OnlyLoadAppFromAsar', 'onlyLoadAppFromAsar'],
];

async function expectFuses(app: string): Promise<void> {
  const wire = await getCurrentFuseWire(app);
  const set = FUSES.map(([option, name]) => [name, String.fromCharCode(wire[FuseV1Options[option]] ?? 0)]);
  expect(set).toEqual(FUSES.map(([, name]) => [name, CONFIGURED.electronFuses[name] ? '1' : '0']));
}

/** The images in an `.ico`: 16 bytes of its directory each, the last eight of which are the size and the place. */
function imagesOf(icon: Buffer): Buffer[] {
  return Array.from({ length: icon.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index;
    const from = icon.readUInt32LE(entry + 12);
    return icon.subarray(from, from + icon.readUInt32LE(entry + 8));
  });
}

const FOR_ALL = ['LICENSE.txt', 'THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json', 'bin', 'docs', 'app.asar'];

describe('a package for another system', () => {
  const windows = layout('win-x64');
  it.skipIf(windows === null)('win32 x64', async () => {
    const app = packaged('win32', 'x64', windows ?? '', 'win-unpacked');
    expect(nativeModules(path.join(app, 'resources'))).toEqual(['win32_x64']);
    expect(fs.readdirSync(path.join(app, 'resources'))).toEqual(expect.arrayContaining(FOR_ALL));
    expect(fs.readFileSync(path.join(app, 'resources/bin/roundtrip.cmd'), 'utf8')).toContain('\r\n');
    await expectFuses(path.join(app, 'Roundtrip.exe'));
    const program = fs.readFileSync(path.join(app, 'Roundtrip.exe'));
    for (const text of ['The Roundtrip authors', CONFIGURED.copyright])
      expect(program.includes(Buffer.from(text, 'utf16le')), text).toBe(true);
    const images = imagesOf(fs.readFileSync('assets/icons/icon.ico'));
    expect(images.length).toBeGreaterThan(1);
    expect(images.filter((image) => !program.includes(image))).toEqual([]);
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
    for (const [name, value] of [
      ['CFBundleIdentifier', CONFIGURED.appId],
      ['NSHumanReadableCopyright', CONFIGURED.copyright],
      ['CFBundleShortVersionString', version],
      ['CFBundleIconFile', 'icon.icns'],
    ])
      expect(plist.replaceAll(/>\s+</g, '><')).toContain(`<key>${name}</key><string>${value}</string>`);
    const icon = fs.readFileSync(path.join(app, 'Resources/icon.icns'));
    expect(icon.equals(fs.readFileSync('assets/icons/icon.icns'))).toBe(true);
    await expectFuses(path.dirname(app));
  });

  const linux = layout('linux-arm64');
  it.skipIf(linux === null)('linux arm64', async () => {
    const app = packaged('linux', 'arm64', linux ?? '', 'linux-arm64-unpacked');
    expect(nativeModules(path.join(app, 'resources'))).toEqual(['linux_arm64']);
    expect(fs.readdirSync(path.join(app, 'resources'))).toEqual(expect.arrayContaining(FOR_ALL));
    expect(fs.readdirSync(path.join(app, 'resources/docs'))).toEqual(['rules.schema.json', 'script.d.ts']);
    const electron = fs.readFileSync(path.join(linux ?? '', 'version'), 'utf8').trim();
    expect(electronInBill(path.join(app, 'resources'))).toBe(electron.replace(/^v/, ''));
    await expectFuses(path.join(app, 'roundtrip'));
  });
});
