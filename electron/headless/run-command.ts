import type { ChildProcess } from 'node:child_process';
import os from 'node:os';
import tty from 'node:tty';
import spawn from 'cross-spawn';
import { systemCode } from '../failures/errors.ts';
import { descendantsOf } from '../system/launch/descendants.ts';

export interface RunningCommand {
  /** As in a shell: 128 + n after signal n, 127 if not found, 126 if not executable. */
  exitCode: Promise<number>;
  /** Why it could not be started, or null; known once `exitCode` is. */
  problem: () => string | null;
  /** False once it has ended. */
  isRunning: () => boolean;
  /** Signals the command and the processes that it started. */
  kill(signal: NodeJS.Signals): void;
}

function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  if (signal === null) return code ?? 0;
  return 128 + os.constants.signals[signal];
}

/**
 * Whether the command gets its own process group: one signal then reaches all of it. Not at a terminal: in Node, a
 * new group is a new session, which loses the terminal and with it password prompts and job control.
 */
function hasOwnGroup(): boolean {
  return process.platform !== 'win32' && ![0, 1, 2].some((descriptor) => tty.isatty(descriptor));
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has just ended.
  }
}

/** At a terminal, Ctrl+C has already reached the whole group; the command's children would get it twice. */
function signalAll(pid: number, ownGroup: boolean, signal: NodeJS.Signals): void {
  const others = ownGroup || signal === 'SIGINT' ? [] : descendantsOf(pid);
  for (const one of [ownGroup ? -pid : pid, ...others]) send(one, signal);
}

/**
 * Starts a command with `variables` added to our environment. `stdout`: a descriptor, or 'inherit' for ours. On
 * Windows, npm and similar programs are .cmd files, which only a shell can start; cross-spawn quotes their arguments
 * for it, which Node's `shell` does not: `a=1&b=2` would run `b=2`.
 */
export function runCommand(
  [program = '', ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
  stdout: number | 'inherit',
): RunningCommand {
  let problem: string | null = null;
  const ownGroup = hasOwnGroup();
  const child: ChildProcess = spawn(program, args, {
    env: { ...process.env, ...variables },
    stdio: ['inherit', stdout, 'inherit'],
    detached: ownGroup,
  });
  const exitCode = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      problem = error.message;
      resolve(systemCode(error) === 'ENOENT' ? 127 : 126);
    });
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
  });
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const kill = (signal: NodeJS.Signals) => {
    if (isRunning() && child.pid !== undefined) signalAll(child.pid, ownGroup, signal);
  };
  return { exitCode, problem: () => problem, isRunning, kill };
}
