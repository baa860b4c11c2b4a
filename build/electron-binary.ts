import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/** Long enough for a slow reply, short enough not to look like a hang; milliseconds. */
const REACHABLE_WITHIN = 5_000;
/** 120 MB on a slow line; milliseconds. */
const DOWNLOADED_WITHIN = 5 * 60_000;

function readText(file: string): string | null {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : null;
}

/** Electron's executable if it is installed, or ELECTRON_OVERRIDE_DIST_PATH names one; else null. Downloads nothing. */
function installedElectron(root: string): string | null {
  const folder = path.join(root, 'node_modules/electron');
  const name = readText(path.join(folder, 'path.txt')) ?? (process.platform === 'win32' ? 'electron.exe' : 'electron');
  const binary = path.join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? path.join(folder, 'dist'), name);
  return fs.existsSync(binary) ? binary : null;
}

/** Whether requests go through a proxy, which only the download itself can ask: fetch ignores these variables. */
function hasProxy(env: NodeJS.ProcessEnv): boolean {
  const names = ['https_proxy', 'HTTPS_PROXY', 'npm_config_https_proxy', 'npm_config_proxy'];
  return names.some((name) => Boolean(env[name]));
}

async function isReachable(url: string): Promise<string | null> {
  try {
    await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(REACHABLE_WITHIN) });
    return null;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return `${new URL(url).host} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

function download(root: string): Promise<string | null> {
  return new Promise((resolve) => {
    const script = path.join(root, 'node_modules/electron/install.js');
    const child = spawn(process.execPath, [script], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: DOWNLOADED_WITHIN,
      env: { ...process.env, ELECTRON_GET_USE_PROXY: '1' },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : (said.trim().split('\n')[0] ?? `exit code ${code}`)));
  });
}

/**
 * Electron's executable, downloaded first if it is missing. If the download is impossible: the reason in one line,
 * within seconds.
 */
export async function findElectron(root: string): Promise<{ binary: string } | { problem: string }> {
  const installed = installedElectron(root);
  if (installed !== null) return { binary: installed };
  const mirror = process.env.ELECTRON_MIRROR ?? 'https://github.com/electron/electron/releases/';
  const unreachable = hasProxy(process.env) ? null : await isReachable(mirror);
  if (unreachable !== null) return { problem: unreachable };
  console.log('Downloading Electron ...');
  const failed = await download(root);
  const binary = installedElectron(root);
  return binary === null ? { problem: failed ?? 'the download left no executable' } : { binary };
}
