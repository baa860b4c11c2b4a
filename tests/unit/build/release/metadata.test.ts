import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { releaseMetadata } from '../../../../build/release/write-metadata.ts';
import { hasProgram } from '../../../support/has-program.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const { version, homepage } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
const NAMES = [
  'win-x64.exe',
  'win-arm64.exe',
  'mac-x64.dmg',
  'mac-arm64.dmg',
  'linux-amd64.deb',
  'linux-arm64.deb',
].map((end) => `Roundtrip-${version}-${end}`);
/** A different sum for each file, as sha256sum prints them. */
const SUMS = new Map(NAMES.map((name, index) => [name, index.toString(16).repeat(64)]));
const CHECKSUMS = [...SUMS].map(([name, sum]) => `${sum}  ${name}\n`).join('');
const files = releaseMetadata(CHECKSUMS, '2026-11-23');
const sumOf = (end: string) => SUMS.get(`Roundtrip-${version}-${end}`) ?? '';

function written(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) fs.writeFileSync(path.join(folder, path.basename(name)), files[name] ?? '');
  return folder;
}

describe('the metadata for package managers', () => {
  it('names every file with its own checksum and the address that package.json has', () => {
    const all = Object.values(files).join('\n');
    for (const [name, sum] of SUMS) {
      if (!name.endsWith('.dmg')) expect(all).toContain(`${homepage}/releases/download/v${version}/${name}`);
      expect(all.toLowerCase()).toContain(sum);
    }
  });

  it('is refused for a release without one of the files', () => {
    const without = CHECKSUMS.replace(/^.*arm64\.exe\n/m, '');
    expect(() => releaseMetadata(without, '2026-11-23')).toThrow(`do not name Roundtrip-${version}-win-arm64.exe`);
  });

  it('has the three manifests of winget, which agree', () => {
    const manifests = ['', '.installer', '.locale.en-US'].map((kind) =>
      parse(files[`winget/Roundtrip.Roundtrip${kind}.yaml`] ?? ''),
    );
    expect(manifests.map(({ ManifestType }) => ManifestType)).toEqual(['version', 'installer', 'defaultLocale']);
    for (const each of manifests)
      expect(each).toMatchObject({ PackageIdentifier: 'Roundtrip.Roundtrip', PackageVersion: version });
    expect(manifests[1]?.Installers).toEqual([
      expect.objectContaining({ Architecture: 'x64', InstallerSha256: sumOf('win-x64.exe').toUpperCase() }),
      expect.objectContaining({ Architecture: 'arm64', InstallerSha256: sumOf('win-arm64.exe').toUpperCase() }),
    ]);
  });

  it.skipIf(!hasProgram('ruby'))('has a cask that Ruby reads', () => {
    const folder = written('homebrew/roundtrip.rb');
    expect(execFileSync('ruby', ['-c', 'roundtrip.rb'], { cwd: folder }).toString()).toBe('Syntax OK\n');
  });

  it('has a Flatpak manifest with one deb for each architecture', () => {
    const manifest = parse(files['flatpak/dev.roundtrip.app.yaml'] ?? '');
    const { sources } = manifest.modules[0];
    expect(sources.slice(0, 2)).toMatchObject([
      { 'only-arches': ['x86_64'], sha256: sumOf('linux-amd64.deb') },
      { 'only-arches': ['aarch64'], sha256: sumOf('linux-arm64.deb') },
    ]);
    expect(manifest.id).toBe(JSON.parse(fs.readFileSync('build/electron-builder.json', 'utf8')).appId);
  });

  it.skipIf(!hasProgram('appstreamcli'))('has metainfo without a fault that appstreamcli finds', () => {
    const folder = written('flatpak/dev.roundtrip.app.metainfo.xml');
    execFileSync('appstreamcli', ['validate', '--no-net', 'dev.roundtrip.app.metainfo.xml'], { cwd: folder });
  });

  it.skipIf(process.platform === 'win32')('has a PKGBUILD that bash reads', () => {
    execFileSync('bash', ['-n', 'PKGBUILD'], { cwd: written('aur/PKGBUILD') });
  });

  // makepkg refuses to run as root.
  it.skipIf(!hasProgram('makepkg') || !hasProgram('runuser'))('has the .SRCINFO that makepkg prints for it', () => {
    const folder = written('aur/PKGBUILD');
    fs.chmodSync(folder, 0o777);
    const asNobody = process.getuid?.() === 0 ? ['runuser', '-u', 'nobody', '--'] : [];
    const [program = '', ...parameters] = [...asNobody, 'makepkg', '--printsrcinfo'];
    const printed = execFileSync(program, parameters, { cwd: folder, env: { ...process.env, HOME: folder } });
    expect(printed.toString().trim()).toBe(files['aur/.SRCINFO']?.trim());
  });
});
