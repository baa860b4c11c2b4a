import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import tty from 'node:tty';
import { systemCode } from '../failures/errors.ts';
import { descendantsOf } from '../system/launch/descendants.ts';

export interface RunningCommand {
  /** As a shell would give it: 128 + n after signal n, 127 not found, 126 not to be run. */
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
 * Whether the command gets a process group of its own, which one signal reaches whole. Not at a terminal: a new group is
 * a new session in Node, and loses the terminal with its passwords, prompts and job control.
 */
function hasOwnGroup(): boolean {
  return process.platform !== 'win32' && ![0, 1, 2].some((descriptor) => tty.isatty(descriptor));
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended just now.
  }
}

/** At a terminal Ctrl+C has reached the whole group already; the command's own children would get it twice. */
function signalAll(pid: number, ownGroup: boolean, signal: NodeJS.Signals): void {
  const others = ownGroup || signal === 'SIGINT' ? [] : descendantsOf(pid);
  for (const one of [ownGroup ? -pid : pid, ...others]) send(one, signal);
}

/** Starts a command with `variables` laid over our environment. `stdout`: a descriptor, or ours. */
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
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const kill = (signal: NodeJS.Signals) => {
    if (isRunning() && child.pid !== undefined) signalAll(child.pid, ownGroup, signal);
  };
  return { exitCode, problem: () => problem, isRunning, kill };
}
