import fs from 'node:fs';
import { _electron, type ElectronApplication } from '@playwright/test';

type LaunchOptions = NonNullable<Parameters<typeof _electron.launch>[0]>;

/** An app starts within two seconds, on a busy machine within ten; milliseconds. */
const PATIENCE = 40_000;

/** Of processes that have `argument` on their command line. */
function withArgument(argument: string): number[] {
  const pids = fs.readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(argument);
    } catch {
      return false;
    }
  });
}

/** How often a hanging launch is repeated. */
const TRIES = 4;

/** Null if the launch hangs; the app is ended then. */
async function tryLaunch(options: LaunchOptions, mark: string): Promise<ElectronApplication | null> {
  const launching = _electron.launch(options);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), PATIENCE);
  });
  const app = await Promise.race([launching, late]);
  clearTimeout(timer);
  if (app) return app;
  launching.catch(() => {});
  for (const pid of withArgument(mark)) process.kill(pid, 'SIGKILL');
  // One that is still there holds the lock of a single instance: the next launch would hand over to it, and end.
  while (withArgument(mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  return null;
}

/**
 * Starts an Electron app. On a busy machine, Playwright's launch occasionally waits forever, and its own time limit
 * does not apply: the app is up and its window loaded, only the reply of its main process's inspector never comes
 * (seen in one of 12). Then the app is ended and started again. `mark`: an argument that only this app has.
 */
export async function launchElectron(options: LaunchOptions, mark: string): Promise<ElectronApplication> {
  for (let tries = 1; tries < TRIES; tries += 1) {
    const app = await tryLaunch(options, mark);
    if (app) return app;
  }
  return await _electron.launch(options);
}
