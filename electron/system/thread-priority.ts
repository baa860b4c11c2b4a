import os from 'node:os';
import { type Command, type Environment, findProgram, type RunCommand, runCommand } from './run-command.ts';

/**
 * A nice level (sched(7)): where two threads want one core, the kernel gives this one three times the share of one at 0. Audio
 * servers ask for -11; -10 gave the engine nothing more.
 */
const LEVEL = -5;
const SERVICE = 'org.freedesktop.RealtimeKit1';
const OBJECT = '/org/freedesktop/RealtimeKit1';
const METHOD = 'MakeThreadHighPriorityWithPID';

export interface PriorityContext {
  env: Environment;
  run: RunCommand;
  /** Throws where the kernel does not allow it. */
  setPriority: (thread: number, level: number) => void;
}

const OURS: PriorityContext = { env: process.env, run: runCommand, setPriority: os.setPriority };

/** RealtimeKit's method takes (t process, t thread, i level). It asks polkit, which allows it to who is logged in, and must not ask a person. */
function waysToAsk(thread: number): Command[] {
  const values = [String(process.pid), String(thread), String(LEVEL)];
  const silent = '--allow-interactive-authorization=no';
  return [
    ['busctl', '--system', silent, '--', 'call', SERVICE, OBJECT, SERVICE, METHOD, 'tti', ...values],
    [
      ...(['gdbus', 'call', '--system', '--dest', SERVICE, '--object-path', OBJECT] as const),
      ...['--method', `${SERVICE}.${METHOD}`, '--', ...values],
    ],
  ];
}

/**
 * Lets a thread of this process run before others, on Linux: by the process's own right (root's, CAP_SYS_NICE, RLIMIT_NICE), else by
 * RealtimeKit, the service from which audio servers have theirs. Whoever sends through the proxy waits for the engine's thread,
 * which needs the CPU for 50 us at a time: with many connections it waited for a core a sixth of its time.
 *
 * `thread`: by gettid(2). Answers who allowed it; null where nobody did, or Roundtrip was started by `nice`: all is as it was. Never
 * rejects.
 */
export async function raisePriority(
  thread: number,
  { env, run, setPriority }: PriorityContext = OURS,
): Promise<'kernel' | 'realtime-kit' | null> {
  try {
    // Who started us with another level than the usual one meant it.
    if (os.getPriority(thread) !== 0) return null;
    setPriority(thread, LEVEL);
    return 'kernel';
  } catch {
    // Not ours to have: the usual case.
  }
  for (const command of waysToAsk(thread)) {
    if (findProgram(command[0], env) === null) continue;
    return (await run(command, env)).status === 0 ? 'realtime-kit' : null;
  }
  return null;
}
