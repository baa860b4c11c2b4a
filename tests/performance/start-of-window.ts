import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DevtoolsPage } from '../support/devtools-page.ts';
import { electronForTests } from '../support/electron-for-tests.ts';
import { xDisplay } from '../support/x-display.ts';
import { median } from './runner/statistics.ts';

/**
 * `node tests/performance/start-of-window.ts --app out/linux-unpacked/roundtrip [--app OTHER] [--rounds 9]`: how long
 * the packaged app, or each of several builds, takes from its start until its window is drawn with its buttons, and
 * until its proxy runs, next to a window without content of the same Electron. All in turn, and one round of each first
 * that does not count. Also how much larger the package is than Electron. For Electron 22, build the package from
 * bundles of `build/build.ts --for-electron-22 FOLDER` (`build/package.ts --dir --bundles FOLDER`).
 */
const { values } = parseArgs({
  options: {
    app: { type: 'string', multiple: true, default: ['out/linux-unpacked/roundtrip'] },
    rounds: { type: 'string', default: '9' },
  },
});

const EMPTY = `
const { app, BrowserWindow } = require('electron');
app.whenReady().then(() => {
  const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true } });
  window.once('ready-to-show', () => window.show());
  window.loadFile('index.html');
});
`;

interface Contender {
  command: string[];
  /** Beginning of its page's address. */
  page: string;
  /** A selector of what the first drawing shows. */
  shows: string;
  /** An expression of the page: all runs. */
  isReady: string;
}

function emptyApp(folder: string): string {
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'empty', main: 'main.js' }));
  fs.writeFileSync(path.join(folder, 'main.js'), EMPTY);
  fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Empty</title><p>Empty</p>');
  return folder;
}

function devtoolsUrl({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error('no stderr');
  return new Promise((resolve, reject) => {
    const lines = readline.createInterface({ input: stderr }).on('line', (line) => {
      const url = /DevTools listening on (\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    lines.once('close', () => reject(new Error('the app ended before its window was there')));
  });
}

/** Milliseconds between two checks of the page: without a pause they would take CPU from it. */
const LOOK = 5;

/** Milliseconds. A package whose bundles are for another Electron shows an empty window for ever. */
const PATIENCE = 60_000;

/** The value of an expression of the page once it is neither false nor undefined. */
async function awaited(page: DevtoolsPage, expression: string): Promise<unknown> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const value = await page.evaluate(expression);
    if (value !== false && value !== undefined) return value;
    if (performance.now() > end) throw new Error(`not within ${PATIENCE / 1000} s: ${expression}`);
    await setTimeout(LOOK);
  }
}

/**
 * When the first frame with content was drawn, milliseconds since the Unix epoch. The page's own time, because our
 * question waits while the app's main thread, which passes it on, does something else.
 */
const drawnAt = (selector: string) => `(() => {
  const [first] = performance.getEntriesByName('first-contentful-paint');
  return first !== undefined && document.querySelector('${selector}') !== null
    && performance.timeOrigin + first.startTime;
})()`;

/** Milliseconds of CPU time that a process and its children have taken; Linux only. */
function cpuTime(pid: number): number {
  const read = (file: string) => fs.readFileSync(`/proc/${pid}/task/${file}`, 'utf8').trim().split(' ');
  try {
    const threads = fs.readdirSync(`/proc/${pid}/task`);
    const own = threads.map((id) => Number(read(`${id}/schedstat`)[0]) / 1e6);
    const children = threads.flatMap((id) => read(`${id}/children`)).filter((id) => id !== '');
    return [...own, ...children.map((child) => cpuTime(Number(child)))].reduce((sum, each) => sum + each, 0);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}

/** Milliseconds from the start of the process, and the CPU time of all its processes until it is ready. */
interface Start {
  drawn: number;
  ready: number;
  cpu: number;
}

async function startOf(of: Contender, data: string, display: string): Promise<Start> {
  const [program = '', ...rest] = of.command;
  const begin = performance.timeOrigin + performance.now();
  const own = [
    '--no-sandbox',
    '--remote-debugging-port=0',
    `--user-data-dir=${data}`,
    `--data-dir=${data}`,
    '--port=0',
  ];
  const child = spawn(program, [...rest, ...own], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DISPLAY: display },
  });
  const ended = once(child, 'exit');
  const shown = await DevtoolsPage.connect(await devtoolsUrl(child), of.page);
  const drawn = Number(await awaited(shown, drawnAt(of.shows))) - begin;
  await awaited(shown, of.isReady);
  const ready = performance.timeOrigin + performance.now() - begin;
  const cpu = cpuTime(child.pid ?? 0);
  shown.close();
  child.kill('SIGTERM');
  await ended;
  return { drawn, ready, cpu };
}

/** Bytes of all files in a folder. */
function sizeOf(folder: string): number {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

function refuse(problem: string): never {
  console.error(problem);
  process.exit(2);
}

const electron = electronForTests();
if (electron === null) refuse('There is no Electron to compare with. Name its folder in ELECTRON_OVERRIDE_DIST_PATH.');
const missing = values.app.find((app) => !fs.existsSync(app));
if (missing !== undefined) refuse(`There is no packaged app at ${missing}. Build it first: npm run dist:dir`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-start-'));
const display = await xDisplay();
const empty: Contender = {
  command: [path.join(electron, 'electron'), emptyApp(path.join(folder, 'empty'))],
  page: 'file:',
  shows: 'p',
  isReady: 'true',
};
const ours = values.app.map(
  (app): Contender => ({
    command: [path.resolve(app)],
    page: 'app://roundtrip/',
    // Nothing has content before the page's script adds all of the window.
    shows: '.toolbar button',
    // The proxy runs, and the list's place is drawn.
    isReady: "/127\\.0\\.0\\.1:\\d+/.test(document.body.innerText) && document.querySelector('main h1') !== null",
  }),
);
const contenders = [empty, ...ours];
const starts: Start[][] = contenders.map(() => []);
for (let round = 0; round <= Number(values.rounds); round += 1) {
  for (const [index, contender] of contenders.entries()) {
    const start = await startOf(contender, path.join(folder, `data-${index}`), display.name);
    if (round > 0) starts[index]?.push(start);
  }
}
display.close();
fs.rmSync(folder, { recursive: true, force: true });

const [none = [], ...full] = starts;
const middle = (of: readonly Start[], value: keyof Start) => median(of.map((start) => start[value]));
const load = os.loadavg()[0]?.toFixed(1);
console.log(
  `empty window ${middle(none, 'drawn').toFixed(0)} ms, CPU ${middle(none, 'cpu').toFixed(0)} ms ` +
    `(medians of ${none.length}), load ${load}`,
);
for (const [index, app] of values.app.entries()) {
  const taken = full[index] ?? [];
  const inWords = (value: 'drawn' | 'ready') => {
    const ratio = median(taken.map((start, round) => start[value] / (none[round]?.drawn ?? Number.NaN)));
    return `${middle(taken, value).toFixed(0)} ms, ratio ${ratio.toFixed(2)} (median of the rounds' ratios)`;
  };
  const more = (sizeOf(path.dirname(app)) - sizeOf(electron)) / 1e6;
  console.log(`${app}: drawn ${inWords('drawn')}`);
  console.log(`  proxy runs ${inWords('ready')}`);
  console.log(`  CPU ${middle(taken, 'cpu').toFixed(0)} ms`);
  console.log(`  ${more.toFixed(1)} MB larger than Electron`);
}
