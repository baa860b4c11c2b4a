import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { ENDING_SIGNALS } from '../files/ending-signals.ts';
import { leaveAppImage } from '../system/app-image-environment.ts';
import { keepDebuggerShut } from '../system/debugger-signal.ts';
import { keepCompiledCode } from './compile-cache.ts';

/** The first Node 22 with everything that the command line calls; `@types/node` has this version's types. */
const WANTED = [22, 19] as const;
const COMMAND_LINE = './command-line.cjs';

/** Path of the Node that npm installed as the package `node`; null if it is missing. */
function ownNode(): string | null {
  try {
    const manifest = createRequire(__filename).resolve('node/package.json');
    const binary = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return fs.existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}

function runOn(node: string): void {
  // Otherwise a SIGUSR1 that arrives before our first line runs would open its debugger.
  const own = ['--disable-sigusr1', __filename, ...process.argv.slice(2)];
  const child = spawn(node, own, { stdio: 'inherit' });
  // A terminal signals both processes; a signal sent only to this one is meant for the other.
  for (const signal of ENDING_SIGNALS) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? os.constants.signals[signal] : 0)));
}

/** Electron's Node, in the packaged app, is the one that the command line was built for. */
function isRightNode(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if ('electron' in process.versions) return true;
  return major > WANTED[0] || (major === WANTED[0] && minor >= WANTED[1]);
}

function main(): void {
  keepDebuggerShut();
  // It made the app's program a Node. An Electron app started from here must stay an app.
  delete process.env.ELECTRON_RUN_AS_NODE;
  leaveAppImage(process.env);
  delete process.env.APPIMAGE;
  if (isRightNode()) {
    keepCompiledCode();
    createRequire(__filename)(COMMAND_LINE);
    return;
  }
  const node = ownNode();
  if (node !== null) {
    runOn(node);
    return;
  }
  process.stderr.write(
    `roundtrip: Node ${WANTED.join('.')} or later is required (this is ${process.versions.node}); install it from ` +
      'https://nodejs.org.\n',
  );
  process.exitCode = 1;
}

main();
