import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FaultyClient } from './client.ts';
import { runProgram } from './program.ts';

const VERSION = '7.16.0';
const FOLDER = path.join(os.tmpdir(), 'roundtrip-test-packages', `undici-${VERSION}`);
const FAILED = 'TypeError fetch failed';
const FORGOTTEN = 'TimeoutError The operation was aborted due to timeout';
const ENTRY = path.join(FOLDER, 'node_modules/undici/index.js');

function isInstalled(): boolean {
  if (fs.existsSync(ENTRY)) return true;
  const args = ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', `undici@${VERSION}`];
  spawnSync('npm', args, { stdio: 'ignore', timeout: 60_000 });
  return fs.existsSync(ENTRY);
}

/** undici's fetch over HTTP/2, from npm, kept in a cache folder. Node's own speaks HTTP/1.1 alone. */
export const undiciFetch: FaultyClient = {
  name: `undici ${VERSION}`,
  // The reset ends its read or its write, whichever comes first: both get ECONNRESET from the system. After a failed
  // write, undici says that the other side closed, or forgets the request.
  races: {
    'before/reset': [`${FAILED}: ECONNRESET`, `${FAILED}: UND_ERR_SOCKET`, FORGOTTEN],
    'after/reset': [
      '200 TypeError terminated: ECONNRESET',
      '200 TypeError terminated: UND_ERR_SOCKET',
      `${FAILED}: ECONNRESET`,
      `${FAILED}: UND_ERR_SOCKET`,
      FORGOTTEN,
      `200 ${FORGOTTEN}`,
    ],
  },
  missing: () => (isInstalled() ? null : 'npm could not install undici'),
  outcomes: (target, faults) =>
    runProgram(process.execPath, [path.join(import.meta.dirname, 'ask-undici.mjs'), ENTRY], target, faults),
};
