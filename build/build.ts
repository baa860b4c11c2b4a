import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build as buildWithVite } from 'vite';
import { buildNodeBundles, type Runtime } from './node-bundles.ts';

/** The web host's page opens in any current browser; Electron 22 is Chromium 108. */
const RENDERER_TARGETS: Record<Runtime, string> = { current: 'baseline-widely-available', 'electron-22': 'chrome108' };

async function buildRenderer(root: string, outFolder: string, runtime: Runtime): Promise<void> {
  await buildWithVite({
    root: path.join(root, 'renderer'),
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: path.join(outFolder, 'renderer'), emptyOutDir: true, target: RENDERER_TARGETS[runtime] },
  });
}

/** Builds everything that ships into `outFolder`. */
export async function build(root: string, outFolder: string, runtime: Runtime): Promise<void> {
  fs.rmSync(outFolder, { recursive: true, force: true });
  await Promise.all([buildNodeBundles(root, outFolder, runtime), buildRenderer(root, outFolder, runtime)]);
  fs.chmodSync(path.join(outFolder, 'cli.cjs'), 0o755);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { 'for-electron-22': { type: 'string' } } });
  const root = path.resolve(import.meta.dirname, '..');
  const old = values['for-electron-22'];
  await build(root, path.resolve(root, old ?? 'dist'), old === undefined ? 'current' : 'electron-22');
}
