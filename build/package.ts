import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Arch, type Configuration, Platform, build as packageApp } from 'electron-builder';
import { build } from './build.ts';
import { nativeModule, type TargetArch, type TargetPlatform } from './native-modules.ts';
import { writeDesktopBill } from './third-party.ts';
import { collectFeeds, signFeeds, updateOptions } from './update-feed.ts';

const root = path.resolve(import.meta.dirname, '..');

interface ElectronSource {
  electronDist?: string;
  electronVersion?: string;
}

/**
 * An unpacked Electron that is already present, for machines that can't download one, with the version that it reports.
 */
function electronSource(): ElectronSource {
  const folder = process.env.ELECTRON_DIST ?? process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!folder) return {};
  const electronVersion = fs.readFileSync(path.join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
  return { electronDist: path.resolve(folder), electronVersion };
}

const PLATFORMS: Record<TargetPlatform, Platform> = {
  linux: Platform.LINUX,
  win32: Platform.WINDOWS,
  darwin: Platform.MAC,
};

/** As electron-builder.json takes them from dist. */
const BUNDLES = { to: 'dist', filter: ['**/*', '!**/*.map', '!third-party/**'] };

interface Target {
  platform: TargetPlatform;
  arch: TargetArch;
  /** Existing bundles, in place of `dist`. */
  bundles: string | undefined;
  /** An absolute path. */
  output: string;
  quick: boolean;
}

/** The first Electron that has the fuse grantFileProtocolExtraPrivileges. */
const FILE_FUSE_SINCE = 29;

function fuses(
  { electronFuses }: Configuration,
  version: string | undefined,
): NonNullable<Configuration['electronFuses']> {
  const { grantFileProtocolExtraPrivileges, ...older } = electronFuses ?? {};
  const hasFuse = version === undefined || Number.parseInt(version, 10) >= FILE_FUSE_SINCE;
  // Apple Silicon runs no unsigned code, and changing the fuses breaks the signature that Electron comes with.
  const resetAdHocDarwinSignature = process.platform === 'darwin';
  return { ...older, ...(hasFuse && { grantFileProtocolExtraPrivileges }), resetAdHocDarwinSignature };
}

/** Little compression, for checks of what is inside: xz takes minutes. */
function quickly({ deb, rpm }: Configuration): Configuration {
  return { compression: 'store', deb: { ...deb, compression: 'gz' }, rpm: { ...rpm, compression: 'gzip' } };
}

function configuration({ platform, arch, bundles, output, quick }: Target): Configuration {
  const config: Configuration = JSON.parse(fs.readFileSync(path.join(root, 'build/electron-builder.json'), 'utf8'));
  const electron = electronSource();
  const native = nativeModule(root, platform, arch);
  const own = Array.isArray(config.files) ? config.files : [];
  const files = [
    ...own.filter((entry) => !bundles || entry !== 'dist/**/*'),
    { from: native, to: `node_modules/@koromix/${path.basename(native)}`, filter: ['**/*', '!musl_*/**'] },
    ...(bundles ? [{ ...BUNDLES, from: path.resolve(bundles) }] : []),
  ];
  return {
    ...config,
    ...electron,
    ...(quick && quickly(config)),
    ...updateOptions(config),
    directories: { ...config.directories, output },
    files,
    extraResources: [
      ...(Array.isArray(config.extraResources) ? config.extraResources : []),
      { from: writeDesktopBill(root, path.join(output, 'sbom'), electron.electronVersion), to: '.' },
    ],
    electronFuses: fuses(config, electron.electronVersion),
  };
}

/** Without the signing secrets, a package is built unsigned, and a line reports this. */
function reportSigning(platform: TargetPlatform): void {
  const named = platform === 'darwin' ? ['CSC_LINK', 'CSC_NAME'] : ['WIN_CSC_LINK', 'CSC_LINK', 'AZURE_CLIENT_ID'];
  if (platform === 'linux' || named.some((name) => process.env[name])) return;
  console.log(`The packages are not signed: none of ${named.join(', ')} is set.`);
}

const { values } = parseArgs({
  options: {
    /** Unpacked only. */
    dir: { type: 'boolean', default: false },
    /** `linux`, `win32` or `darwin`; this machine's by default. */
    platform: { type: 'string', default: process.platform },
    /** `x64` or `arm64`; this machine's by default. Repeatable. */
    arch: { type: 'string', multiple: true, default: [process.arch] },
    /** Targets of electron-builder in place of the platform's own list: `deb`, `zip`. Repeatable. */
    target: { type: 'string', multiple: true },
    bundles: { type: 'string' },
    /** For checks: larger packages, built faster. */
    quick: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const platform = values.platform as TargetPlatform;
if (!(platform in PLATFORMS)) throw new Error(`--platform ${platform} is none of ${Object.keys(PLATFORMS).join(', ')}`);
if (values.bundles === undefined) await build(root, path.join(root, 'dist'), 'current');
reportSigning(platform);
const out = path.resolve(root, values.out ?? 'out');
let feeds: ReturnType<typeof collectFeeds> = new Map();
for (const arch of values.arch as TargetArch[]) {
  if (arch !== 'x64' && arch !== 'arm64') throw new Error(`--arch ${arch} is neither x64 nor arm64`);
  const wanted = values.dir ? 'dir' : (values.target ?? null);
  await packageApp({
    projectDir: root,
    config: configuration({ platform, arch, bundles: values.bundles, output: out, quick: values.quick }),
    targets: PLATFORMS[platform].createTarget(wanted, Arch[arch]),
    publish: 'never',
  });
  feeds = collectFeeds(out, feeds);
}
signFeeds(out, feeds);
