import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CACHE } from './cached-packages.ts';
import { chromiumPath, NO_CHROMIUM, UNPACKED_CHROMIUM } from './chromium.ts';
import { publishFolder } from './publish-folder.ts';

/** A headless Chromium from npm, for machines that reach npm's registry alone. Linux x64 only. */
const PACKAGE = '@sparticuz/chromium@153.0.0';
/** 170 MB on a slow line; milliseconds. */
const PATIENCE = 10 * 60_000;

function run(command: string, parameters: readonly string[], env: NodeJS.ProcessEnv = {}): boolean {
  const shell = process.platform === 'win32';
  const options = { stdio: 'ignore', timeout: PATIENCE, shell, env: { ...process.env, ...env } } as const;
  return spawnSync(command, parameters, options).status === 0;
}

/** The browser that Playwright was made for. */
function installPlaywrights(): void {
  run(process.execPath, [path.resolve('node_modules/playwright-core/cli.js'), 'install', 'chromium']);
}

/** Its package unpacks the browser into the folder for temporary files, at the first request for its path. */
function installFromNpm(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  fs.mkdirSync(CACHE, { recursive: true });
  // Its own folders: two checkouts may install at the same time.
  const folder = fs.mkdtempSync(path.join(CACHE, 'chromium-package-'));
  const unpacking = fs.mkdtempSync(path.join(CACHE, 'chromium-'));
  const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
  const installed = run('npm', ['install', ...options, '--prefix', folder, PACKAGE]);
  const entry = path.join(folder, 'node_modules/@sparticuz/chromium/build/index.js');
  const ask = `import(${JSON.stringify(entry)}).then(({ default: chromium }) => chromium.executablePath())`;
  if (installed && run(process.execPath, ['-e', ask], { TMPDIR: unpacking }))
    publishFolder(unpacking, UNPACKED_CHROMIUM, 'chromium');
  for (const each of [folder, unpacking]) fs.rmSync(each, { recursive: true, force: true });
}

/** Finds or installs a browser for the tests; null if none can be installed. */
function installedChromium(): string | null {
  const ways = [() => {}, installPlaywrights, installFromNpm];
  for (const install of ways) {
    install();
    const found = chromiumPath();
    if (found !== null) return found;
  }
  return null;
}

const found = installedChromium();
console.log(
  found ? `Browser tests use ${found}` : `Browser tests are skipped: ${NO_CHROMIUM}, and none can be downloaded`,
);
