import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe } from '../failures/errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A command as data: the program, then its parameters. */
export type Command = readonly [program: string, ...parameters: string[]];

export interface CommandResult {
  /** The exit code; null if the command could not be started, was killed or timed out. */
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command until it ends. Never rejects. */
export type RunCommand = (command: Command, env: Environment) => Promise<CommandResult>;

/** Milliseconds. Long enough to answer a password prompt. */
const TIME_LIMIT = 120_000;
const OUTPUT_LIMIT = 16 * 1024 * 1024;

export const runCommand: RunCommand = ([program, ...parameters], env) =>
  new Promise((resolve) => {
    const options = { env: { ...env }, timeout: TIME_LIMIT, maxBuffer: OUTPUT_LIMIT, windowsHide: true };
    const child = execFile(program, parameters, options, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ status, stdout, stderr: stderr || (status === null && error ? describe(error) : '') });
    });
    // A tool that asks for a password must see the end of its input, not wait for ours.
    child.stdin?.end();
  });

/** The last line that a failed command printed, from stderr if possible: usually the reason. */
export function lastWords(result: CommandResult): string {
  const lines = (text: string) => text.split('\n').map((line) => line.trim());
  const said = lines(result.stderr).findLast(Boolean) ?? lines(result.stdout).findLast(Boolean);
  return said ?? (result.status === null ? 'it could not be run' : `exit code ${result.status}`);
}

/** The command as a user would type it. */
export function commandLine(command: Command): string {
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Finds a program: an absolute path is returned unchanged, a name is looked up in PATH. Null if there is none. */
export function findProgram(name: string, env: Environment): string | null {
  if (path.isAbsolute(name)) return isProgram(name) ? name : null;
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter).filter(Boolean);
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  return folders.flatMap((folder) => names.map((one) => path.join(folder, one))).find(isProgram) ?? null;
}
