import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { installCommandLine } from '../../../../../electron/system/command-line/install-command-line.ts';
import type { Command } from '../../../../../electron/system/run-command.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

let home: string;
let resources: string;
let installed: string;

beforeEach(() => {
  const folder = temporaryFolder();
  home = path.join(folder, 'home');
  resources = path.join(folder, 'Round trip/resources');
  installed = path.join(home, '.local/bin/roundtrip');
  fs.mkdirSync(path.join(resources, 'bin'), { recursive: true });
  fs.writeFileSync(path.join(resources, 'bin/roundtrip'), '#!/bin/sh\necho "it runs: $*"\n', { mode: 0o755 });
});

const options = (env: Record<string, string> = {}) => ({ platform: 'linux', resources, home, env });
const run = (...parameters: string[]) => execFileSync(installed, parameters).toString();

test('a command that runs the package, and a hint about a PATH without its folder', async () => {
  const sentence = await installCommandLine(options({ PATH: '/usr/bin' }));
  expect(sentence).toBe(
    `The command is installed: ${installed}. ${path.dirname(installed)} is not in your PATH: add it in your shell's ` +
      'profile.',
  );
  expect(run('a', 'b')).toBe('it runs: a b\n');
});

test('a command that is already installed stays', async () => {
  await installCommandLine(options());
  const env = { PATH: path.dirname(installed) };
  expect(await installCommandLine(options(env))).toBe(`The command is installed already: ${installed}.`);
});

test('the command of an earlier version is replaced, and another program’s is not', async () => {
  fs.mkdirSync(path.dirname(installed), { recursive: true });
  fs.symlinkSync('/gone/resources/bin/roundtrip', installed);
  await installCommandLine(options());
  expect(run('x')).toBe('it runs: x\n');

  fs.rmSync(installed);
  fs.writeFileSync(installed, 'of somebody else');
  await expect(installCommandLine(options())).rejects.toMatchObject({
    code: 'command-line.not-installed',
    message:
      `The command roundtrip was not installed as ${installed}: another program has that name; remove or rename it ` +
      'first.',
  });
  expect(fs.readFileSync(installed, 'utf8')).toBe('of somebody else');
});

test('an AppImage installs a script, which a later AppImage replaces', async () => {
  await installCommandLine(options({ APPIMAGE: '/first.AppImage' }));
  const second = path.join(home, 'It’s the "second".AppImage');
  fs.writeFileSync(second, '#!/bin/sh\necho "$ELECTRON_RUN_AS_NODE $1"; shift 3; echo "$@"\n', { mode: 0o755 });
  await installCommandLine(options({ APPIMAGE: second }));
  expect(run('sessions', '--json')).toBe('1 -e\nsessions --json --no-sandbox\n');
});

test('on Windows the folder is added to the PATH of the user, and a refusal is reported', async () => {
  const commands: Command[] = [];
  let status = 0;
  const asked = () =>
    installCommandLine({
      platform: 'win32',
      resources: "C:\\It's\\resources",
      env: { SystemRoot: 'C:\\Windows' },
      run: async (command) => {
        commands.push(command);
        return { status, stdout: '', stderr: 'Requested registry access is not allowed.' };
      },
    });
  expect(await asked()).toContain("C:\\It's\\resources\\bin is in your PATH");
  expect(commands[0]?.[0]).toBe('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
  expect(commands[0]?.at(-1)).toContain("-notcontains 'C:\\It''s\\resources\\bin'");
  status = 1;
  await expect(asked()).rejects.toMatchObject({ code: 'command-line.not-installed' });
});
