import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { findElectron } from './electron-binary.ts';

const root = path.resolve(import.meta.dirname, '..');
/** A shell's exit code if a program's shared libraries are missing. */
const CANNOT_RUN = 127;

/** Runs a program in our place: signals go to it, its exit code is ours. */
function run(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', cwd: root });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', () => resolve(CANNOT_RUN));
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? os.constants.signals[signal] : 0)));
  });
}

function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

async function openApp(args: readonly string[]): Promise<{ exitCode: number } | { problem: string }> {
  if (!hasDisplay()) return { problem: 'There is no display to open a window on' };
  const found = await findElectron(root);
  if ('problem' in found)
    return { problem: `Electron's binary is not installed and cannot be downloaded (${found.problem})` };
  // Chromium's sandbox refuses to run as root.
  const forRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const exitCode = await run(found.binary, [...forRoot, root, ...args]);
  return exitCode === CANNOT_RUN ? { problem: `Electron does not run here (${found.binary})` } : { exitCode };
}

/** Null if npm left the development packages out. */
async function builder(): Promise<typeof import('./build.ts') | null> {
  try {
    return await import('./build.ts');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

const builds = await builder();
if (builds === null) {
  console.error('npm start builds Roundtrip first, and the packages for that are missing. Run: npm ci --include=dev');
  process.exit(1);
}
await builds.build(root, path.join(root, 'dist'), 'current');
const args = process.argv.slice(2);
const opened = await openApp(args);
if ('problem' in opened) {
  console.log(`${opened.problem}; serving Roundtrip in the browser instead.`);
  process.exitCode = await run(process.execPath, [path.join(root, 'dist/cli.cjs'), 'serve', ...args]);
} else process.exitCode = opened.exitCode;
