import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Child, killAll } from '../performance/runner/child.ts';
import { PROJECT } from '../performance/runner/places.ts';
import { openChromium } from './chromium-window.ts';
import { exportHar, type HarOutcome } from './har-check.ts';
import type { OriginReady } from './origin.ts';
import type { Block, LoadPlan } from './plan.ts';
import { SoakWindow } from './soak-window.ts';
import { HEAD, harLine, lineOf, type Sample } from './table.ts';
import { judge } from './verdict.ts';
import { WatchedProcess } from './watched-process.ts';

const USAGE = `npm run soak -- [options]
  --exchanges N   over HTTP/1.1, HTTP/2, WebSocket and server-sent events (1000000)
  --chromium      with the window in a real Chromium too
  --keep          leaves the session file
Exits with 1 where a figure is not flat, an exchange failed or was lost, or the HAR took too much
(tests/soak/verdict.ts).`;

const START_LIMIT = 30_000;
/** A block takes some 20 s on two cores. */
const BLOCK_LIMIT = 15 * 60_000;
/** For the window, and the session file, to have all. */
const CATCH_UP_LIMIT = 120_000;
const BLOCKS = 20;

interface Options {
  exchanges: number;
  chromium: boolean;
  keep: boolean;
}

function node(script: string, ...args: string[]): Child {
  return new Child({ command: process.execPath, args: [script, ...args], cwd: PROJECT });
}

interface Running {
  load: Child;
  watched: WatchedProcess;
  window: SoakWindow;
  session: string;
}

async function sample({ load, watched, window, session }: Running): Promise<Sample> {
  const block = await load.line<Block>(BLOCK_LIMIT);
  return {
    ...block,
    memory: watched.memory(),
    descriptors: watched.descriptors(),
    rowsBehind: block.done - window.rows,
    fileBytes: fs.statSync(session).size,
  };
}

async function samples(running: Running, exchanges: number): Promise<Sample[]> {
  console.log(HEAD);
  const all: Sample[] = [];
  for (let done = 0; done < exchanges; ) {
    const next = await sample(running);
    done = next.done;
    all.push(next);
    console.log(lineOf(next));
  }
  return all;
}

/** The content of the session file, once it is complete or the time is up. */
async function recorded(window: SoakWindow, exchanges: number): Promise<number> {
  const until = performance.now() + CATCH_UP_LIMIT;
  for (;;) {
    const { sessions } = await window.api.request('sessions.list', {});
    const held = sessions[0]?.exchanges ?? 0;
    if (held >= exchanges || performance.now() > until) return held;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function soak({ exchanges, chromium }: Options, folder: string): Promise<boolean> {
  const session = path.join(folder, 'soak.roundtrip');
  const origin = node('tests/soak/origin.ts', folder);
  const { caPath, h1, h2 } = await origin.line<OriginReady>(START_LIMIT);
  const ports = ['--port', '0', '--ui-port', '0'];
  const files = ['--data-dir', path.join(folder, 'data'), '--session', session, '--upstream-ca', caPath];
  const product = node('dist/cli.cjs', 'serve', '--json', ...ports, ...files);
  const { proxy, ui, ca } = await product.line<{ proxy: string; ui: string; ca: string }>(START_LIMIT);
  const window = new SoakWindow(ui);
  await window.loaded();
  const browser = chromium ? await openChromium(ui) : null;
  const watched = new WatchedProcess(product.pid);
  const pem = fs.readFileSync(ca, 'utf8');
  const plan: LoadPlan = { proxy: Number(new URL(proxy).port), ca: pem, h1, h2, exchanges, block: blockOf(exchanges) };
  const load = node('tests/soak/load.ts', JSON.stringify(plan));
  const all = await samples({ load, watched, window, session }, exchanges);
  const shown = (await window.has(exchanges, CATCH_UP_LIMIT)) ? exchanges : window.rows;
  const held = await recorded(window, exchanges);
  watched.memory();
  const har: HarOutcome = await exportHar(window, watched, ui);
  console.log(harLine(har));
  await browser?.close();
  watched.close();
  await product.stop();
  await origin.stop();
  const exitCode = product.process.exitCode;
  const judged = judge({ exchanges, samples: all, shown, held, har, problems: window.problems, exitCode });
  for (const { ok, what, detail } of judged) console.log(`${ok ? 'ok    ' : 'FAILED'}  ${what}: ${detail}`);
  return judged.every(({ ok }) => ok);
}

function blockOf(exchanges: number): number {
  return Math.ceil(exchanges / BLOCKS);
}

function options(): Options | null {
  const { values } = parseArgs({
    options: {
      exchanges: { type: 'string', default: '1000000' },
      chromium: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const exchanges = Number(values.exchanges);
  if (values.help || !Number.isInteger(exchanges) || exchanges < 1000) return null;
  return { exchanges, chromium: values.chromium, keep: values.keep };
}

async function main(): Promise<number> {
  const given = options();
  if (given === null) {
    console.log(USAGE);
    return 2;
  }
  if (process.platform !== 'linux') {
    console.error('npm run soak reads /proc: it runs on Linux alone.');
    return 2;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-soak-'));
  try {
    const ok = await soak(given, folder);
    console.log(ok ? 'Flat.' : 'Not flat.');
    if (given.keep) console.log(`The session is in ${folder}`);
    return ok ? 0 : 1;
  } finally {
    killAll();
    if (!given.keep) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killAll();
    process.exit(1);
  });
}
process.exit(await main());
