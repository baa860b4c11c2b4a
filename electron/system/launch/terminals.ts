import fs from 'node:fs';
import { type Command, type Environment, findProgram } from '../run-command.ts';

/** A program that runs a script in a window. */
export interface Terminal {
  path: string;
  command: (script: string) => Command;
}

/** Arguments before the script: -e for most, none or -- for newer ones. Debian's alternative always accepts -e. */
const LINUX: readonly [name: string, before: readonly string[]][] = [
  ['x-terminal-emulator', ['-e']],
  ['gnome-terminal', ['--']],
  ['kgx', ['-e']],
  ['ptyxis', ['--']],
  ['konsole', ['-e']],
  ['xfce4-terminal', ['-x']],
  ['kitty', []],
  ['alacritty', ['-e']],
  ['foot', []],
  ['wezterm', ['start', '--']],
  ['xterm', ['-e']],
];

function onLinux(env: Environment): Terminal | null {
  const own: [string, readonly string[]][] = env.TERMINAL ? [[env.TERMINAL, ['-e']]] : [];
  for (const [name, before] of [...own, ...LINUX]) {
    const path = findProgram(name, env);
    if (path !== null) return { path, command: (script) => [path, ...before, script] };
  }
  return null;
}

/** Finds the terminal of this desktop; null if there is none. */
export function findTerminal(env: Environment, platform: string): Terminal | null {
  if (platform === 'win32') {
    const path = env.ComSpec ?? 'C:\\Windows\\System32\\cmd.exe';
    // `start` takes its first quoted argument as the title, and Node quotes only an argument with a space in it.
    return { path, command: (script) => [path, '/d', '/c', 'start', 'Roundtrip terminal', path, '/k', script] };
  }
  if (platform === 'darwin') {
    const path = '/usr/bin/open';
    return fs.existsSync(path) || platform !== process.platform
      ? { path, command: (script) => [path, '-a', 'Terminal', script] }
      : null;
  }
  return onLinux(env);
}
