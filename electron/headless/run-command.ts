import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { systemCode } from '../engine/errors.ts';

export interface RunningCommand {
  /** As a shell would give it: 128 + n after signal n, 127 not found, 126 not to be run. */
  exitCode: Promise<number>;
  /** Why it could not be started, or null; known once `exitCode` is. */
  problem: () => string | null;
  kill(signal: NodeJS.Signals): void;
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal === null) return code ?? 0;
  return 128 + os.constants.signals[signal];
}

/** Starts a command with `variables` laid over our environment. `stdout`: a descriptor, or ours. */
export function runCommand(
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  stdout: number | 'inherit',
): RunningCommand {
  let problem: string | null = null;
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, ...variables },
    stdio: ['inherit', stdout, 'inherit'],
    // npm and its like are .cmd files on Windows, which only a shell starts.
    shell: process.platform === 'win32',
  });
  const exitCode = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      problem = error.message;
      resolve(systemCode(error) === 'ENOENT' ? 127 : 126);
    });
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  });
  return { exitCode, problem: () => problem, kill: (signal) => void child.kill(signal) };
}
