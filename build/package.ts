import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Configuration, build as packageApp } from 'electron-builder';
import { build } from './build.ts';

const root = path.resolve(import.meta.dirname, '..');

interface ElectronSource {
  electronDist?: string;
  electronVersion?: string;
}

/** An unpacked Electron that is there already, for machines that can't download one, with the version that it says it has. */
function electronSource(): ElectronSource {
  const folder = process.env.ELECTRON_DIST ?? process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!folder) return {};
  const electronVersion = fs.readFileSync(path.join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
  return { electronDist: path.resolve(folder), electronVersion };
}

/** As electron-builder.json takes them from dist. */
const BUNDLES = { to: 'dist', filter: ['**/*', '!**/*.map', '!cli.cjs', '!command-line.cjs'] };

function configuration(bundles: string | undefined, output: string | undefined): Configuration {
  const config: Configuration = JSON.parse(fs.readFileSync(path.join(root, 'build/electron-builder.json'), 'utf8'));
  const files = Array.isArray(config.files) ? config.files : [];
  return {
    ...config,
    ...electronSource(),
    ...(output && { directories: { ...config.directories, output: path.resolve(output) } }),
    ...(bundles && { files: [...files, '!dist/**/*', { ...BUNDLES, from: path.resolve(bundles) }] }),
  };
}

const { values } = parseArgs({
  options: {
    /** Unpacked only. */
    dir: { type: 'boolean', default: false },
    /** Bundles that are there already, in place of a build. */
    bundles: { type: 'string' },
    out: { type: 'string' },
  },
});
if (values.bundles === undefined) await build(root, path.join(root, 'dist'), 'current');
await packageApp({
  projectDir: root,
  config: configuration(values.bundles, values.out),
  dir: values.dir,
  publish: 'never',
});
