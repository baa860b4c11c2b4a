import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build as buildWithVite } from 'vite';
import { buildNodeBundles, type Runtime } from './node-bundles.ts';
import { writeThirdParty } from './third-party.ts';

/** The web host's page opens in any current browser; Electron 22 is Chromium 108. */
const RENDERER_TARGETS: Record<Runtime, string> = { current: 'baseline-widely-available', 'electron-22': 'chrome108' };

/** Resolves with the paths of all modules in the page's bundles. */
async function buildRenderer(root: string, outFolder: string, runtime: Runtime): Promise<string[]> {
  const built = await buildWithVite({
    root: path.join(root, 'renderer'),
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: path.join(outFolder, 'renderer'), emptyOutDir: true, target: RENDERER_TARGETS[runtime] },
  });
  if (!('output' in built)) throw new Error('vite built no page');
  return built.output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

/** Builds everything that ships into `outFolder`. */
export async function build(root: string, outFolder: string, runtime: Runtime): Promise<void> {
  fs.rmSync(outFolder, { recursive: true, force: true });
  const modules = await Promise.all([
    buildNodeBundles(root, outFolder, runtime),
    buildRenderer(root, outFolder, runtime),
  ]);
  writeThirdParty(root, path.join(outFolder, 'third-party'), modules.flat());
  fs.copyFileSync(path.join(root, 'assets/icons/linux/512x512.png'), path.join(outFolder, 'icon.png'));
  fs.chmodSync(path.join(outFolder, 'cli.cjs'), 0o755);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { 'for-electron-22': { type: 'string' } } });
  const root = path.resolve(import.meta.dirname, '..');
  const old = values['for-electron-22'];
  await build(root, path.resolve(root, old ?? 'dist'), old === undefined ? 'current' : 'electron-22');
}
