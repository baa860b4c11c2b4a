import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/**
 * In place of npm: a package that unpacks a browser as the real one does, into the folder for temporary files. Each
 * waits for the other's browser: both are then ready to be put in the same place.
 */
const NPM = `#!${process.execPath}
const fs = require('node:fs');
const folder = process.argv[process.argv.indexOf('--prefix') + 1] + '/node_modules/@sparticuz/chromium/build';
fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(folder + '/index.js', \`
  const fs = require('node:fs');
  exports.executablePath = () => {
    fs.writeFileSync(process.env.TMPDIR + '/chromium', '');
    fs.writeFileSync(process.env.READY + '/' + process.pid, '');
    const pause = new Int32Array(new SharedArrayBuffer(4));
    while (fs.readdirSync(process.env.READY).length < 2) Atomics.wait(pause, 0, 0, 5);
  };\`);
`;

function emptyFolder(parent: string, name: string): string {
  const folder = path.join(parent, name);
  fs.mkdirSync(folder);
  return folder;
}

it.runIf(process.platform === 'linux' && process.arch === 'x64')('can run twice at once', async () => {
  const folder = temporaryFolder();
  const programs = emptyFolder(folder, 'programs');
  const cache = emptyFolder(folder, 'cache');
  fs.writeFileSync(path.join(programs, 'npm'), NPM, { mode: 0o755 });
  const env = {
    ...{ PATH: programs, HOME: folder, READY: emptyFolder(folder, 'ready'), ROUNDTRIP_TEST_PACKAGES: cache },
    // Playwright's own browser is out of reach.
    ...{ PLAYWRIGHT_BROWSERS_PATH: folder, PLAYWRIGHT_DOWNLOAD_HOST: 'http://127.0.0.1:1' },
  };
  const install = () => promisify(execFile)(process.execPath, ['tests/support/install-chromium.ts'], { env });
  const used = { stdout: `Browser tests use ${path.join(cache, 'chromium/chromium')}\n`, stderr: '' };
  expect(await Promise.all([install(), install()])).toEqual([used, used]);
  expect(fs.readdirSync(cache)).toEqual(['chromium']);
});
