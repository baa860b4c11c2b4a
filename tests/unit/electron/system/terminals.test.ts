import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTerminal, posixScript, windowsScript } from '../../../../electron/system/terminals.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function withPrograms(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) fs.writeFileSync(path.join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
  return folder;
}

describe('findTerminal', () => {
  it.each([
    ['gnome-terminal', ['--', '/s']],
    ['konsole', ['-e', '/s']],
    ['xfce4-terminal', ['-x', '/s']],
    ['kitty', ['/s']],
    ['wezterm', ['start', '--', '/s']],
    ['x-terminal-emulator', ['-e', '/s']],
  ])('runs a script in %s', (name, parameters) => {
    const folder = withPrograms(name);
    const terminal = findTerminal({ PATH: folder }, 'linux');
    expect(terminal?.command('/s')).toEqual([path.join(folder, name), ...parameters]);
  });

  it("takes the user's own first, and says so where there is none", () => {
    const folder = withPrograms('mine', 'xterm');
    expect(findTerminal({ PATH: folder, TERMINAL: 'mine' }, 'linux')?.path).toBe(path.join(folder, 'mine'));
    expect(findTerminal({ PATH: temporaryFolder() }, 'linux')).toBeNull();
  });

  it('knows those of macOS and Windows', () => {
    expect(findTerminal({}, 'darwin')?.command('/s.command')).toEqual([
      '/usr/bin/open',
      '-a',
      'Terminal',
      '/s.command',
    ]);
    const cmd = 'C:\\Windows\\System32\\cmd.exe';
    expect(findTerminal({}, 'win32')?.command('C:\\s.cmd')).toEqual([
      cmd,
      '/d',
      '/c',
      'start',
      'Roundtrip',
      cmd,
      '/k',
      'C:\\s.cmd',
    ]);
  });
});

describe("a terminal's script", () => {
  it('sets the variables whatever is in them, then is a shell', () => {
    const script = path.join(temporaryFolder(), 's.sh');
    const odd = `it's "quoted" $HOME`;
    fs.writeFileSync(script, posixScript({ variables: { ODD: odd }, checks: [] }), { mode: 0o755 });
    const shell = path.join(withPrograms(), 'shell');
    fs.writeFileSync(shell, '#!/bin/sh\nprintf %s "$ODD"\n', { mode: 0o755 });
    expect(execFileSync(script, { env: { ...process.env, SHELL: shell } }).toString()).toContain(odd);
  });

  it('does so on Windows', () => {
    const script = windowsScript({ variables: { A: '50%' }, checks: ['http://x/'] });
    expect(script).toContain('set "A=50%%"\r\n');
    expect(script).toContain('curl.exe -s -o NUL --max-time 10 --ssl-no-revoke "http://x/"\r\n');
  });
});
