import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, roundtripError } from '../../failures/errors.ts';
import type { Environment } from '../run-command.ts';
import { makeOwnedFolder } from './owned-folder.ts';
import { type ShellStart, shellStart } from './shell-start.ts';
import {
  EXIT_CODE_FILE,
  posixScript,
  type TerminalScript,
  WINDOWS_COMMAND_FILE,
  windowsScript,
} from './terminal-script.ts';
import type { Terminal } from './terminals.ts';

export interface LaunchTerminalOptions extends Omit<TerminalScript, 'workingFolder'> {
  terminal: Terminal;
  /** The script is stored below it, readable only by its owner: it contains paths from the user's environment. */
  dataFolder: string;
  env?: Environment;
  platform?: string;
}

export interface LaunchedTerminal {
  pid: number;
  /** Resolves with the terminal's own error message if it ends with a failure. */
  failed: Promise<string>;
  /** Resolves with the exit code of the command, or of the shell if there is no command. */
  ended: Promise<number>;
  /** Stops watching. The terminal stays open. */
  forget(): void;
}

export const TERMINAL_PREFIX = 'terminal-';

/** Folder of the terminals' scripts. */
export function terminalFolder(dataFolder: string): string {
  return path.join(dataFolder, 'terminals');
}

/** An app started by a click has the root as its working folder, which is of no use. */
function workingFolder(): string {
  const here = process.cwd();
  return here === path.parse(here).root || process.platform === 'win32' ? os.homedir() : here;
}

function writeScript(options: LaunchTerminalOptions, folder: string): string {
  const { platform = process.platform, command } = options;
  const windows = platform === 'win32';
  // Terminal.app runs files of this extension.
  const extension = windows ? 'cmd' : platform === 'darwin' ? 'command' : 'sh';
  const script = path.join(folder, `terminal.${extension}`);
  const content = { ...options, workingFolder: workingFolder() };
  const text = windows ? windowsScript(content) : posixScript(content, folder, writeShellStart(content, folder));
  fs.writeFileSync(script, text, { mode: 0o700, flag: 'wx' });
  if (windows && command !== null) fs.writeFileSync(path.join(folder, WINDOWS_COMMAND_FILE), `${command}\r\n`);
  return script;
}

function writeShellStart({ variables }: TerminalScript, folder: string): ShellStart {
  const start = shellStart(variables, folder);
  for (const [name, content] of Object.entries(start.files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(folder, name), content, { mode: 0o600, flag: 'wx' });
  }
  return start;
}

function exitCodeIn(folder: string): number | null {
  try {
    const text = fs.readFileSync(path.join(folder, EXIT_CODE_FILE), 'latin1').trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

function watchExitCode(folder: string): { ended: Promise<number>; stop: () => void } {
  const watcher = fs.watch(folder);
  // Without the folder there is nothing to watch.
  watcher.on('error', () => watcher.close()).unref();
  const ended = new Promise<number>((resolve) => {
    watcher.on('change', () => {
      const code = exitCodeIn(folder);
      if (code === null) return;
      watcher.close();
      resolve(code);
    });
  });
  return { ended, stop: () => watcher.close() };
}

/** Reads from a file: with a pipe, the terminal would end with Roundtrip. */
function lastLineOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim().split('\n').at(-1) ?? '';
  } catch {
    return '';
  }
}

async function start(options: LaunchTerminalOptions, folder: string): Promise<LaunchedTerminal> {
  // An Electron app that finds our APPIMAGE would replace it with its own update.
  const { APPIMAGE: _, ...env } = options.env ?? process.env;
  const { terminal } = options;
  const [program, ...parameters] = terminal.command(writeScript(options, folder));
  const said = path.join(folder, 'terminal.log');
  const log = fs.openSync(said, 'wx', 0o600);
  // In its own session: the user's shell must outlive Roundtrip.
  const child = spawn(program, parameters, { env, stdio: ['ignore', 'ignore', log], detached: true });
  fs.closeSync(log);
  await once(child, 'spawn');
  child.unref();
  const { ended, stop } = watchExitCode(folder);
  const failed = new Promise<string>((resolve) =>
    child.once('exit', (code) => {
      if (code !== 0) resolve(lastLineOf(said) || `it ended with exit code ${code}`);
    }),
  );
  return {
    pid: child.pid ?? 0,
    failed,
    ended,
    forget: () => {
      stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Opens a terminal whose programs use the proxy, and runs a command there once the user confirms it. Rejects with
 * `browser.start-failed`.
 */
export async function launchTerminal(options: LaunchTerminalOptions): Promise<LaunchedTerminal> {
  let folder: string | null = null;
  try {
    folder = makeOwnedFolder(terminalFolder(options.dataFolder), TERMINAL_PREFIX);
    return await start(options, folder);
  } catch (error) {
    if (folder !== null) fs.rmSync(folder, { recursive: true, force: true });
    throw roundtripError('browser.start-failed', { name: 'The terminal', detail: describe(error) });
  }
}
