import { spawn } from 'node:child_process';
import { isAlive } from '../../../files/is-alive.ts';
import { type Command, type Environment, runCommand } from '../../run-command.ts';
import { readJournal, restore } from './proxy-journal.ts';
import { proxyPlatform } from './proxy-platform.ts';
import { type Watched, watchdogArguments } from './watchdog-arguments.ts';

/** Polling interval for a killed Roundtrip, in milliseconds. */
const LOOK_EVERY = 500;

/**
 * Waits until the process has ended, then restores the system's proxy. Ends earlier if the journal is gone, because the
 * process has restored the proxy itself. Rejects if the system refuses: the next start tries again.
 */
export async function runWatchdog({ journal, pid }: Watched): Promise<void> {
  while (isAlive(pid)) {
    if (readJournal(journal)?.pid !== pid) return;
    await new Promise((resume) => setTimeout(resume, LOOK_EVERY));
  }
  if (readJournal(journal)?.pid !== pid) return;
  const platform = proxyPlatform({ env: process.env, run: runCommand }, process.platform);
  if (typeof platform !== 'string') await restore(journal, platform);
}

/** The packaged app's command line runs on the app's program, which is a Node only with this variable. */
function asNode(): Environment {
  return 'electron' in process.versions && !('type' in process) ? { ELECTRON_RUN_AS_NODE: '1' } : {};
}

/** Starts a separate process that outlives Roundtrip. `program`: runs `runWatchdog`; arguments are appended. */
export function startWatchdog([program, ...before]: Command, journal: string, env: Environment): void {
  const child = spawn(program, [...before, ...watchdogArguments({ journal, pid: process.pid })], {
    env: { ...env, ...asNode() },
    stdio: 'ignore',
    detached: true,
  });
  // Without the watchdog, the next start restores the setting.
  child.once('error', () => undefined);
  child.unref();
}
