import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

/** What the bundles must run on: Electron 45 and the `node` package, or the old Electron that tests can always have. */
export type Runtime = 'current' | 'electron-22';

/**
 * Bundle -> entry. CommonJS, because Electron's sandboxed preload is, and asar's patches reach `require` everywhere.
 */
const ENTRIES = {
  main: 'electron/main/main.ts',
  'later-parts': 'electron/main/later-parts.ts',
  preload: 'electron/preload/preload.ts',
  cli: 'electron/headless/launch.ts',
  'command-line': 'electron/headless/cli.ts',
  mcp: 'electron/mcp/mcp.ts',
  'proxy-watchdog': 'electron/headless/proxy-watchdog.ts',
  'engine-thread': 'electron/worker/engine-thread.ts',
  'otlp-thread': 'electron/worker/otlp/otlp-thread.ts',
  'import-thread': 'electron/worker/import/import-thread.ts',
  'pac-thread': 'electron/worker/pac-thread.ts',
  'script-thread': 'electron/worker/script/script-thread.ts',
  'session-writer-thread': 'electron/worker/session-writer-thread.ts',
  'checkpoint-thread': 'electron/worker/checkpoint-thread.ts',
  'lab-thread': 'electron/worker/lab/lab-thread.ts',
  'session-reader-thread': 'electron/worker/session-reader-thread.ts',
};

/**
 * Packages that an `import()` loads from their own bundle, shared by all threads: few starts need them, and V8 parses a
 * whole bundle at each start.
 */
const LATER = ['electron-updater', 'node-forge', 'tldts', 'yaml'];

/** The app's own later bundle: a module of `ENTRIES` that another one loads with `import()`. */
const LATER_PARTS = './later-parts.ts';

const laterBundles: Plugin = {
  name: 'later-bundles',
  setup(bundle) {
    const names = [...LATER, LATER_PARTS].map((name) => name.replaceAll('.', '\\.'));
    bundle.onResolve({ filter: new RegExp(`^(?:${names.join('|')})$`) }, ({ path: name, kind }) =>
      kind === 'dynamic-import' ? { path: `./${path.basename(name, '.ts')}.cjs`, external: true } : null,
    );
  },
};

/**
 * What Electron 22 and its Node 16 lack is in the tests' stand-ins, and libsql, which one of them uses, isn't shipped.
 */
const STAND_INS = 'tests/support/electron-22';

/** Importer -> what it imports in place of `electron`. */
const ELECTRON_STAND_INS: Readonly<Record<string, string>> = {
  'page-protocol.ts': 'electron-protocol.ts',
  'preload.ts': 'electron-web-utils.ts',
};

function standIns(root: string): Plugin {
  const folder = path.join(root, STAND_INS);
  return {
    name: 'stand-ins-for-electron-22',
    setup(bundle) {
      // A stand-in extends the original.
      bundle.onResolve({ filter: /^node:(buffer|http|sqlite|tls|zlib)$/ }, ({ path: name, importer }) =>
        path.dirname(importer) === folder ? null : { path: path.join(folder, `${name.replace(':', '-')}.ts`) },
      );
      bundle.onResolve({ filter: /^electron$/ }, ({ importer }) => {
        const standIn = ELECTRON_STAND_INS[path.basename(importer)];
        return standIn === undefined ? null : { path: path.join(folder, standIn) };
      });
      bundle.onResolve({ filter: /^libsql$/ }, () => ({
        path: path.join(root, 'node_modules/libsql/index.js'),
        external: true,
      }));
    },
  };
}

function optionsFor(root: string, outFolder: string, runtime: Runtime): BuildOptions {
  const old = runtime === 'electron-22';
  return {
    absWorkingDir: root,
    outdir: outFolder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: old ? 'node16.17' : 'node24',
    sourcemap: true,
    metafile: true,
    // A tenth smaller as a package. Names and line breaks stay: a stack trace still shows the place.
    minifyWhitespace: true,
    lineLimit: 120,
    external: ['electron', 'koffi'],
    // Its `main` is UMD, whose inner `require` no bundler follows.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // Electron's ESM loader would handle an `import()` of a package, and does not support archives; `require` does.
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
    plugins: [laterBundles, ...(old ? [standIns(root)] : [])],
    ...(old ? { inject: [path.join(root, STAND_INS, 'globals.ts')] } : {}),
  };
}

/**
 * Writes the bundles of both hosts and their threads into `outFolder`; rejects with esbuild's errors. Resolves with the
 * paths of all modules in them, relative to `root`.
 */
export async function buildNodeBundles(root: string, outFolder: string, runtime: Runtime): Promise<string[]> {
  // The interpreter of PAC scripts is read as a file by its thread.
  await mkdir(outFolder, { recursive: true });
  await copyFile(path.join(root, 'node_modules/quickjs-wasi/quickjs.wasm'), path.join(outFolder, 'quickjs.wasm'));
  const { cli, preload, ...entries } = ENTRIES;
  const entryPoints = { ...entries, ...Object.fromEntries(LATER.map((name) => [name, name])) };
  const options = optionsFor(root, outFolder, runtime);
  const { metafile } = await build({ ...options, entryPoints });
  // A sandboxed preload can load none of the modules that the stand-ins use.
  await build({ ...options, entryPoints: { preload }, inject: [] });
  // Starts on whatever Node the machine has, to find the right one.
  await build({ ...options, entryPoints: { cli }, target: 'node18', banner: { js: '#!/usr/bin/env node' } });
  await buildNodeClients(root, outFolder);
  return Object.keys(metafile?.inputs ?? {});
}

/**
 * Writes `node-clients.cjs`, which users' own programs preload: whatever Node those run on, from 12, the first that
 * reads quotes in NODE_OPTIONS. No source map, because it is copied away from it.
 */
export async function buildNodeClients(root: string, outFolder: string): Promise<void> {
  const entryPoints = { 'node-clients': 'electron/node-clients/node-clients.ts' };
  await build({ ...optionsFor(root, outFolder, 'current'), entryPoints, target: 'node12', sourcemap: false });
}
