import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { publishFolder } from './publish-folder.ts';

/**
 * Installed packages that tests drive as a user's program would have them. Outside the checkout: nothing here
 * resolves to them.
 */
export const CACHE = process.env.ROUNDTRIP_TEST_PACKAGES || path.join(os.tmpdir(), 'roundtrip-test-packages');

/**
 * The last versions that ignore the proxy variables, and the first that follow them. Node 24 is a dependency of ours.
 */
export const NODE_VERSIONS = ['18.20.8', '20.20.2', '22.20.0', '22.21.0', '24.4.1'] as const;

/** The oldest that `engines` of package.json allows. */
export const OLDEST_NODE = '22.19.0';

const PACKAGES = [
  `node@${OLDEST_NODE}`,
  ...NODE_VERSIONS.map((version) => `node@${version}`),
  ...['undici@5.29.0', 'undici@6.22.0', 'undici@7.16.0', 'undici@8.10.0'],
];

/**
 * The folder of an installed package, `node@18.20.8`; null if it is not installed: tests that need it are skipped by
 * name.
 */
export function cachedPackage(wanted: string): string | null {
  const folder = path.join(CACHE, wanted, 'node_modules', wanted.split('@')[0] ?? '');
  return fs.existsSync(folder) ? folder : null;
}

/** A Node of this version, or null. */
export function nodeBinary(version: string): string | null {
  const folder = cachedPackage(`node@${version}`);
  const binary = folder && path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return binary && fs.existsSync(binary) ? binary : null;
}

async function install(wanted: string): Promise<void> {
  if (cachedPackage(wanted)) return;
  const unfinished = path.join(CACHE, `.${wanted}-${process.pid}`);
  fs.mkdirSync(unfinished, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', unfinished];
  try {
    await promisify(execFile)('npm', ['install', ...options, wanted], { shell: process.platform === 'win32' });
    publishFolder(unfinished, path.join(CACHE, wanted), 'node_modules');
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const failed = (wanted: string) => (error: unknown) => console.error(`${wanted} could not be installed:`, error);
  await Promise.all(PACKAGES.map((wanted) => install(wanted).catch(failed(wanted))));
}
