import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { DevtoolsPipe } from '../../../electron/lab/browser/devtools-pipe.ts';
import { CHROMIUM_FLAGS, chromiumPath, NO_CHROMIUM } from '../../support/chromium.ts';
import { installProbe, type Probe } from './page-probe.ts';

/** Milliseconds in which a browser finishes what it does at its start, and between two looks at the page. */
const [START, LOOK] = [1500, 1000];
const LIMIT = 120_000;

/** Descriptors of `--remote-debugging-pipe`. */
const [READS, WRITES] = [3, 4];
const SIZE = { width: 1280, height: 800 };

function launch(profile: string): ChildProcess {
  const executable = chromiumPath();
  if (executable === null) throw new Error(NO_CHROMIUM);
  const switches = ['--headless', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${profile}`];
  return spawn(executable, [...CHROMIUM_FLAGS, ...switches], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
}

async function load(devtools: DevtoolsPipe, ui: string, rows: number): Promise<Probe> {
  const { browserContextId } = await devtools.call('Target.createBrowserContext');
  const { targetId } = await devtools.call('Target.createTarget', { url: 'about:blank', browserContextId, ...SIZE });
  const { sessionId } = await devtools.call('Target.attachToTarget', { targetId, flatten: true });
  const session = String(sessionId);
  await setTimeout(START);
  await devtools.call('Page.enable', {}, session);
  const source = `(${installProbe})(${JSON.stringify(rows.toLocaleString('en'))})`;
  await devtools.call('Page.addScriptToEvaluateOnNewDocument', { source }, session);
  await devtools.call('Page.navigate', { url: ui }, session);
  const expression = { expression: 'JSON.stringify(probe)', returnByValue: true };
  for (const began = performance.now(); performance.now() - began < LIMIT; ) {
    await setTimeout(LOOK);
    const { result } = await devtools.call('Runtime.evaluate', expression, session);
    const probe = JSON.parse(String((result as { value?: unknown } | undefined)?.value)) as Probe;
    if (probe.all > 0) return probe;
  }
  throw new Error('the window never had all rows');
}

/**
 * Loads the window in a new browser that has no debugger, as its users' has none. Playwright's debugger makes V8
 * compile the window's code a second time, to name the places of React's errors, and looks at the page in each frame:
 * all rows took a third longer.
 */
export async function firstLoad(ui: string, rows: number): Promise<Probe> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-window-'));
  const child = launch(profile);
  const ended = once(child, 'exit');
  const devtools = new DevtoolsPipe(child.stdio[WRITES] as Readable, child.stdio[READS] as Writable);
  void ended.then(() => devtools.close(new Error('the browser ended')));
  try {
    return await load(devtools, ui, rows);
  } finally {
    child.kill();
    await ended;
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
