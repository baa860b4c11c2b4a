import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { showInFolder } from '../../../../electron/system/show-in-folder.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const FILE = "/data/it's & a name/a b.roundtrip";
let programs: string;
let said: string;

beforeEach(() => {
  programs = temporaryFolder();
  said = path.join(programs, 'said');
});

/** A program that writes its parameters down, one a line. */
function program(name: string, exitCode: number): void {
  const script = `#!/bin/sh\n{ echo ${name}; for word; do echo "$word"; done; } >> '${said}'\nexit ${exitCode}\n`;
  writeFileSync(path.join(programs, name), script, { mode: 0o755 });
}

const heard = () => readFileSync(said, 'utf8').split('\n').slice(0, -1);
const onDesktop = () => ({ DISPLAY: ':0', PATH: programs });

test.skipIf(process.platform === 'win32')('the file manager is asked to show the file', async () => {
  program('gdbus', 0);
  await showInFolder(FILE, onDesktop(), 'linux');
  expect(heard().slice(-2)).toEqual(["['file:///data/it%27s%20&%20a%20name/a%20b.roundtrip']", '']);
  program('open', 0);
  await showInFolder(FILE, { PATH: programs }, 'darwin');
  expect(heard().slice(-3)).toEqual(['open', '-R', FILE]);
});

test.skipIf(process.platform === 'win32')('the folder is opened where no file manager can show a file', async () => {
  program('gdbus', 1);
  program('xdg-open', 0);
  await showInFolder(FILE, onDesktop(), 'linux');
  expect(heard().slice(-2)).toEqual(['xdg-open', path.dirname(FILE)]);
});

test.skipIf(process.platform === 'win32')('no desktop, or no program that shows a folder', async () => {
  program('xdg-open', 3);
  const without = { PATH: programs };
  await expect(showInFolder(FILE, without, 'linux')).rejects.toThrow('this machine has no desktop to show it on');
  expect(existsSync(said)).toBe(false);
  await expect(showInFolder(FILE, onDesktop(), 'linux')).rejects.toThrow('no program on this machine could show it');
});
