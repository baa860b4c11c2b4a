import { setTimeout } from 'node:timers/promises';
import type { Contender, Running } from '../runner/contender.ts';
import { runLoad } from '../runner/load-run.ts';
import { residentMemory } from '../runner/process-tree.ts';
import type { Column, Context, Round, Scenario } from '../runner/scenario.ts';
import { median } from '../runner/statistics.ts';
import { firstLoad } from './first-load.ts';
import { type Probe, scrollThrough, sortBy } from './page-probe.ts';
import { ProbedWindow } from './window-browser.ts';
import { firstSorted, writeSession } from './window-session.ts';

/** Together about 5,000 exchanges a second: each waits 10 ms for its response. */
const FEED = { origin: 'plain', connections: 56, method: 'GET', delay: 10 } as const;
const FEED_SPANS = { warmUp: 1, measured: 5 };
const LOADS = 5;
const RELOADS = 3;
/** Milliseconds until the host's threads have collected what the reads left. */
const REST = 5000;

const COLUMNS: readonly Column[] = [
  { metric: 'all', head: 'all rows ms', unit: 1000, digits: 0 },
  { metric: 'newest', head: 'newest ms', unit: 1000, digits: 0 },
  { metric: 'sortNumber', head: 'sort ms', unit: 1000, digits: 0 },
  { metric: 'sortText', head: 'by text', unit: 1000, digits: 0 },
  ...(['load', 'scroll', 'filter', 'sort', 'feed'] as const).map((phase) => ({
    ...{ metric: `${phase}Frame`, head: `${phase} frame`, unit: 1000, digits: 0 },
  })),
  { metric: 'feedPerSecond', head: 'exchanges/s', unit: 1, digits: 0 },
  { metric: 'heap', head: 'heap MB', unit: 1e6, digits: 0 },
  { metric: 'renderer', head: 'renderer MB', unit: 1e6, digits: 0 },
  { metric: 'memory', head: 'host MB', unit: 1e6, digits: 0 },
  { metric: 'memoryAtRest', head: 'at rest', unit: 1e6, digits: 0 },
];

/** Milliseconds from click to paint: by a number, and by a text that differs in each row. */
async function sortTimes(opened: ProbedWindow, first: number): Promise<{ number: number; text: number }> {
  await opened.enter('sort');
  const text = await opened.page.evaluate(sortBy, { column: 'Path', first });
  const number = await opened.page.evaluate(sortBy, { column: 'Total', first });
  await opened.enter('other');
  return { number, text };
}

async function filterRows({ page }: ProbedWindow): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Filter' });
  await box.click();
  await box.pressSequentially('host:api path:/items/77', { delay: 60 });
  await page.getByTestId('counts').filter({ hasText: ' of ' }).waitFor();
  await box.fill('');
  await page.getByTestId('counts').filter({ hasNotText: ' of ' }).waitFor();
}

/** The worst frames of a window during its user's actions, and while exchanges arrive. */
async function use(opened: ProbedWindow, rows: number): Promise<Round> {
  await opened.enter('scroll');
  await opened.page.evaluate(scrollThrough);
  await opened.enter('filter');
  await filterRows(opened);
  const { number, text } = await sortTimes(opened, firstSorted(rows));
  return { sortNumber: number * 1000, sortText: text * 1000 };
}

function framesOf(worst: Readonly<Record<string, number>>): Round {
  return Object.fromEntries(Object.entries(worst).map(([phase, ms]) => [`${phase}Frame`, ms * 1000]));
}

/** Medians of several loads, each in a new browser, and the longest frame of all. */
async function firstLoads(ui: string, rows: number): Promise<Round> {
  const probes: Probe[] = [];
  for (let times = 0; times < LOADS; times += 1) probes.push(await firstLoad(ui, rows));
  return {
    newest: median(probes.map(({ newest }) => newest)) * 1000,
    all: median(probes.map(({ all }) => all)) * 1000,
    loadFrame: Math.max(...probes.map(({ worst }) => worst.load ?? Number.NaN)) * 1000,
  };
}

async function measure(context: Context, contender: Contender, running: Running, rows: number): Promise<Round> {
  if (running.ui === null) throw new Error('it has no window');
  const loads = await firstLoads(running.ui, rows);
  await setTimeout(REST);
  const opened = await ProbedWindow.open(running.ui, rows);
  try {
    const sorts = await use(opened, rows);
    const { worst } = await opened.probe();
    for (let times = 0; times < RELOADS; times += 1) await opened.reload();
    const { heap, renderer } = await opened.memory();
    const hostMemory = () => (running.pid === null ? Number.NaN : residentMemory(running.pid));
    const memory = hostMemory();
    await setTimeout(REST);
    const memoryAtRest = hostMemory();
    await opened.enter('feed');
    const { perSecond = 0 } = await runLoad(FEED, contender, running, context.ports, FEED_SPANS);
    const feed = (await opened.probe()).worst.feed ?? Number.NaN;
    const frames = { ...framesOf(worst), feedFrame: feed * 1000 };
    return {
      ...sorts,
      ...frames,
      ...loads,
      feedPerSecond: perSecond,
      heap,
      renderer,
      memory,
      memoryAtRest,
    };
  } finally {
    await opened.close();
  }
}

/** Exchanges of the feed stay in the session: each round has its own count of rows. */
function windowScenario(name: string, rows: number): Scenario {
  return {
    name: `window-${name}`,
    title: `The window with ${rows.toLocaleString('en-US')} exchanges; frames are the longest of each`,
    ...{ contenders: ['roundtrip'], metric: 'all', better: 'lower', ratiosTo: [], columns: COLUMNS, rounds: 1 },
    session: (file) => writeSession(file, rows),
    // It opens its own, after the host is ready.
    openPage: async () => ({ close: async () => {} }),
    measure: (context, contender, running) => measure(context, contender, running, rows),
  };
}

export const WINDOW_SCENARIOS: readonly Scenario[] = [windowScenario('100k', 100_000), windowScenario('1m', 1_000_000)];
