import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, roundtripError } from '../../failures/errors.ts';
import type { Command, Environment } from '../run-command.ts';
import { familyOf } from './browser-places.ts';
import type { Browser } from './browsers.ts';
import { CHROMIUM_MARKS, chromiumArguments } from './chromium-profile.ts';
import { FIREFOX_MARKS, firefoxArguments, firefoxPage, prepareFirefoxProfile } from './firefox-profile.ts';
import type { LaunchOptions } from './launch-options.ts';
import { addOwner, makeOwnedFolder, removeOwnedFolder } from './owned-folder.ts';

export interface LaunchedBrowser {
  pid: number;
  /** Resolves with the exit code; null if a signal ended the browser. */
  exited: Promise<number | null>;
  /** Why it ended before it requested its page, as part of a sentence. */
  reason(exitCode: number | null): string;
  /** Asks it to end and kills it after five seconds; resolves when its profile has been removed. */
  close(): Promise<void>;
  /** Opens a page in it; resolves with false if the browser does not support that from outside. */
  open(url: string): Promise<boolean>;
}

const STARTING_LIMIT = 15_000;
const CLOSING_LIMIT = 5_000;
const OPENING_LIMIT = 5_000;
const LAST_WORDS = 4096;

/** Parent folder of a browser's profiles. */
export function profileFolder({ profiles }: Partial<Browser>, dataFolder: string): string {
  return profiles ?? path.join(dataFolder, 'browsers');
}

function hasMark(profile: string, marks: readonly string[]): boolean {
  try {
    // Not existsSync: Chromium's SingletonLock is a link that points nowhere.
    return fs.readdirSync(profile).some((name) => marks.includes(name));
  } catch {
    return false;
  }
}

/** Resolves when the browser has locked its profile, or has had enough time to fail. */
function running(profile: string, marks: readonly string[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const watcher = fs.watch(profile);
    const done = (): void => {
      clearTimeout(timer);
      watcher.close();
      resolve();
    };
    const look = (): void => {
      if (hasMark(profile, marks)) done();
    };
    const timer = setTimeout(done, STARTING_LIMIT);
    watcher.on('change', look).on('error', done);
    signal.addEventListener('abort', done);
    look();
  });
}

/** Without a display, browsers print several lines, of which the last ones name something else. */
const NO_DISPLAY = /\bDISPLAY\b|cannot open display|Missing X server|platform failed to initialize/;

function reasonFrom(said: string, exitCode: number | null): string {
  if (NO_DISPLAY.test(said)) return 'it has no display; set DISPLAY or WAYLAND_DISPLAY';
  const ended = exitCode === null ? 'it was ended by a signal' : `it ended with exit code ${exitCode}`;
  return said.trim().split('\n').at(-1)?.replace(/\.$/, '') || ended;
}

function reasonOf(child: ChildProcess): (exitCode: number | null) => string {
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    said = (said + piece).slice(-LAST_WORDS);
  });
  return (exitCode) => reasonFrom(said, exitCode);
}

async function start(options: LaunchOptions, profile: string): Promise<LaunchedBrowser> {
  const { browser, extraArguments = [], env = process.env } = options;
  const firefox = familyOf(browser.id) === 'firefox';
  if (firefox) await prepareFirefoxProfile(options, profile, env);
  const own = firefox ? firefoxArguments(options, profile) : chromiumArguments(options, profile);
  const [program, ...before] = browser.command ?? [browser.path];
  const child = spawn(program, [...before, ...extraArguments, ...own], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const reason = reasonOf(child);
  await once(child, 'spawn');
  // If Roundtrip crashes, the browser keeps running and still needs its profile.
  addOwner(profile, child.pid ?? process.pid);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const starting = new AbortController();
  const early = await Promise.race([
    running(profile, firefox ? FIREFOX_MARKS : CHROMIUM_MARKS, starting.signal).then(() => 'running' as const),
    ended,
  ]);
  starting.abort();
  if (early !== 'running' && early !== 0) throw new Error(reason(early));
  const exited = ended.finally(() => removeOwnedFolder(profile));
  return {
    pid: child.pid ?? 0,
    exited,
    reason,
    close: () => close(child, exited),
    open: async (url) => {
      const again = firefox ? firefoxPage(url, profile) : chromiumArguments({ ...options, url }, profile);
      return await handsOver([program, ...before, ...extraArguments, ...again], env);
    },
  };
}

/** A second start passes its page to the browser that has the profile and exits; false if it does not. */
function handsOver([program, ...parameters]: Command, env: Environment): Promise<boolean> {
  return new Promise((resolve) => {
    const child = execFile(program, parameters, { env: { ...env }, timeout: OPENING_LIMIT }, (error) =>
      resolve(error === null),
    );
    child.unref();
  });
}

async function close(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  const killing = setTimeout(() => child.kill('SIGKILL'), CLOSING_LIMIT);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(killing);
}

/**
 * Starts a browser with a new profile that uses the proxy (loopback included) and trusts our CA; changes nothing
 * outside the profile. Resolves when it runs. Rejects with `browser.not-found` or `browser.start-failed`.
 */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  const { browser, dataFolder } = options;
  if (!fs.existsSync(browser.path)) throw roundtripError('browser.not-found', { id: browser.id });
  let profile = '';
  try {
    profile = makeOwnedFolder(profileFolder(browser, dataFolder), `${browser.id}-`);
    return await start(options, profile);
  } catch (error) {
    if (profile !== '') await removeOwnedFolder(profile);
    throw roundtripError('browser.start-failed', { name: browser.name, detail: describe(error) });
  }
}
