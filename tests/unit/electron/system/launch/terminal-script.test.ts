import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellStart } from '../../../../../electron/system/launch/shell-start.ts';
import {
  posixScript,
  type TerminalScript,
  windowsScript,
} from '../../../../../electron/system/launch/terminal-script.ts';
import { findProgram } from '../../../../../electron/system/run-command.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** Runs it like a terminal whose user types `input`. The shell that stays open then reads the rest of it. */
function runScript(of: Partial<TerminalScript>, input: string, env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const script = path.join(folder, 's.sh');
  const content = { variables: {}, checks: [], command: null, workingFolder: folder, ...of };
  const start = shellStart(content.variables, folder);
  for (const [name, text] of Object.entries(start.files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  fs.writeFileSync(script, posixScript(content, folder, start), { mode: 0o755 });
  const own = { ...process.env, SHELL: '/bin/sh', PS1: '', ...env };
  // From a file: fish mistakes the socket that Node uses as a pipe for a folder.
  const typed = path.join(folder, 'typed');
  fs.writeFileSync(typed, input);
  const stdin = fs.openSync(typed, 'r');
  const { stdout, status } = spawnSync(script, { stdio: [stdin, 'pipe', 'pipe'], env: own, timeout: 110_000 });
  fs.closeSync(stdin);
  const file = path.join(folder, 'exit-code');
  return { said: stdout.toString(), status, code: fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : null };
}

describe.skipIf(process.platform === 'win32')("a terminal's script", () => {
  const odd = `it's "quoted" $HOME \\ %s`;

  it('sets the variables with any content, then becomes a shell', () => {
    const { said, code } = runScript({ variables: { ODD: odd } }, 'printf %s "$ODD"; exit 4\n');
    expect(said).toContain(odd);
    expect(code).toBe('4');
  });

  it('adds to lists of options, once', () => {
    const variables = { NODE_OPTIONS: `--require "a ${odd}"` };
    const print = 'printf "<%s>" "$NODE_OPTIONS"; exit 4\n';
    expect(runScript({ variables }, print, variables).said).toContain(`<${variables.NODE_OPTIONS}>`);
    expect(runScript({ variables }, print, { NODE_OPTIONS: '--own' }).said).toContain(
      `<--own ${variables.NODE_OPTIONS}>`,
    );
  });

  it('shows a command as it was typed, runs it after Enter, and keeps a shell open with its output', () => {
    const command = `printf "%s|" "$ODD" 'a  b'; (exit 3)`;
    const { said, code } = runScript({ variables: { ODD: odd }, command }, '\necho still here\n');
    expect(said).toContain(command);
    expect(said).toContain(`${odd}|a  b|`);
    expect(said).toContain('It ended with exit code 3.');
    expect(said).toContain('still here');
    expect(code).toBe('3');
  });

  it('runs nothing whose user did not press Enter', () => {
    const { said, status } = runScript({ command: 'echo has run' }, '');
    expect(said.match(/has run/g)).toHaveLength(1);
    expect(said).not.toContain('It ended');
    expect(status).toBe(130);
  });

  const SHELLS: [shell: string, file: string, line: string][] = [
    ['bash', '.bashrc', "export HTTPS_PROXY=http://corp.test OWN='by its user' NODE_OPTIONS=--own"],
    ['zsh', '.zshrc', "export HTTPS_PROXY=http://corp.test OWN='by its user' NODE_OPTIONS=--own"],
    [
      'fish',
      '.config/fish/config.fish',
      "set -gx HTTPS_PROXY http://corp.test; set -gx OWN 'by its user'; set -gx NODE_OPTIONS --own",
    ],
  ];
  for (const [shell, file, line] of SHELLS) {
    const program = findProgram(shell, process.env);
    it.skipIf(program === null)(`sets the variables after the start-up files of ${shell}, which are read`, () => {
      const home = temporaryFolder();
      fs.mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      fs.writeFileSync(path.join(home, file), `${line}\n`);
      const env = {
        HOME: home,
        SHELL: program ?? '',
        XDG_CONFIG_HOME: path.join(home, '.config'),
        ZDOTDIR: '',
        TERM: 'dumb',
      };
      const variables = { HTTPS_PROXY: 'http://127.0.0.1:1', ODD: odd, NODE_OPTIONS: `--require "a ${odd}"` };
      const { said, code } = runScript(
        { variables },
        'printf "<%s|%s|%s|%s>" "$HTTPS_PROXY" "$OWN" "$ODD" "$NODE_OPTIONS"; exit 4\n',
        env,
      );
      expect(said).toContain(`<http://127.0.0.1:1|by its user|${odd}|--own ${variables.NODE_OPTIONS}>`);
      expect(code).toBe('4');
    });
  }

  it('begins in the given folder', () => {
    const workingFolder = fs.realpathSync(temporaryFolder());
    expect(runScript({ command: 'pwd', workingFolder }, '\n').said).toContain(workingFolder);
  });
});

describe("a terminal's script on Windows", () => {
  const checks = [
    { url: 'http://x/', otherwise: null },
    { url: 'https://x/', otherwise: 'http://x/no' },
  ];
  const windows = { variables: { A: '50%' }, checks, workingFolder: 'C:\\' };

  it('sets the variables and fetches the checks', () => {
    const script = windowsScript({ ...windows, command: null });
    expect(script).toContain('set "A=50%%"\r\n');
    const curl = 'curl.exe -sf -o NUL --max-time 10 --ssl-no-revoke';
    expect(script).toContain(`${curl} "http://x/"\r\n${curl} "https://x/" || ${curl} "http://x/no"\r\n`);
    expect(script).not.toContain('command.txt');
  });

  it('takes a command from a file next to it, and reads nothing of it as script', () => {
    const script = windowsScript({ ...windows, command: 'echo %PATH% & del x' });
    expect(script).not.toContain('del x');
    expect(script).toContain(
      'for /f "usebackq delims=" %%c in ("%~dp0command.txt") do cmd /d /s /c "%%c"\r\n>"%~dp0exit-code" echo ' +
        '%errorlevel%\r\n',
    );
  });
});
