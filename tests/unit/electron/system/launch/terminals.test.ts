import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTerminal } from '../../../../../electron/system/launch/terminals.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

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

  it("prefers the user's own, and reports if there is none", () => {
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
      'Roundtrip terminal',
      cmd,
      '/k',
      'C:\\s.cmd',
    ]);
  });
});
