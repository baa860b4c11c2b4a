import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, roundtripError, systemCode } from '../../failures/errors.ts';
import { isWritable } from '../../files/is-writable.ts';
import { type Environment, findProgram, lastWords, type RunCommand, runCommand } from '../run-command.ts';
import { APP_IMAGE_MARK, appImageScript } from './app-image-script.ts';
import { addToPath } from './windows-path.ts';

export interface CommandLineOptions {
  /** Node's `process.platform`. */
  platform: string;
  /** The package's folder `resources`, whose `bin` holds the command line. */
  resources: string;
  env: Environment;
  home?: string;
  run?: RunCommand;
}

/**
 * Installs the command `roundtrip` where shells find it. Resolves with a sentence about the result; rejects with
 * `command-line.not-installed`. Never replaces a file that is not its own.
 */
export async function installCommandLine(options: CommandLineOptions): Promise<string> {
  const { platform, resources, env, home = os.homedir(), run = runCommand } = options;
  if (platform === 'win32') return await onWindows(path.win32.join(resources, 'bin'), env, run);
  const program = path.join(resources, 'bin/roundtrip');
  const known = findProgram('roundtrip', env);
  // As installed by the deb and rpm packages.
  if (known !== null && fs.realpathSync(known) === fs.realpathSync(program))
    return `The command is installed already: ${known}.`;
  const own = path.join(home, '.local/bin');
  const folders = platform === 'darwin' ? ['/usr/local/bin', own] : [own];
  const file = path.join(folders.find(isWritable) ?? own, 'roundtrip');
  try {
    if (env.APPIMAGE) writeScript(file, appImageScript(env.APPIMAGE));
    else link(file, program);
  } catch (error) {
    throw roundtripError('command-line.not-installed', { path: file, detail: describe(error) }, systemCode(error));
  }
  return `The command is installed: ${file}.${pathHint(path.dirname(file), env)}`;
}

async function onWindows(folder: string, env: Environment, run: RunCommand): Promise<string> {
  const result = await run(addToPath(folder, env), env);
  if (result.status !== 0)
    throw roundtripError('command-line.not-installed', { path: folder, detail: lastWords(result) });
  return `${folder} is in your PATH: new terminals find the command roundtrip.`;
}

/** A link to any `resources/bin/roundtrip`, and a script with our mark, are of an earlier Roundtrip. */
function refuseForeign(file: string): void {
  const there = fs.lstatSync(file, { throwIfNoEntry: false });
  if (there === undefined) return;
  const isOwn = there.isSymbolicLink()
    ? /resources\/bin\/roundtrip$/i.test(fs.readlinkSync(file))
    : there.isFile() && fs.readFileSync(file, 'utf8').includes(APP_IMAGE_MARK);
  if (!isOwn) throw new Error('another program has that name; remove or rename it first');
}

/** Renamed into its place: a shell finds either the old command or the new one. */
function replace(file: string, make: (next: string) => void): void {
  refuseForeign(file);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.new`;
  fs.rmSync(next, { force: true });
  make(next);
  fs.renameSync(next, file);
}

function link(file: string, program: string): void {
  replace(file, (next) => fs.symlinkSync(program, next));
}

function writeScript(file: string, script: string): void {
  replace(file, (next) => fs.writeFileSync(next, script, { mode: 0o755 }));
}

function pathHint(folder: string, env: Environment): string {
  const isFound = (env.PATH ?? '').split(path.delimiter).includes(folder);
  return isFound ? '' : ` ${folder} is not in your PATH: add it in your shell's profile.`;
}
