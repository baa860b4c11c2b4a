import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serveHost } from '../../support/served-host.ts';
import { writeFindingsSession } from '../findings/findings-session.ts';
import { ProbedWindow } from './window-browser.ts';

/**
 * `node tests/performance/window/connections-view.ts`: how long the connections view takes to open with 100,000
 * exchanges of 10,000 connections, what that takes of the page's thread (CPU time, which other programs do not
 * lengthen), and the longest frame while its user scrolls through it. Needs `npm run build`.
 */
const EXCHANGES = 100_000;
const SHARING = 10;

/** Runs in the page. Milliseconds from the click until the lanes are painted. */
async function openView(): Promise<number> {
  const buttons = [...document.querySelectorAll<HTMLElement>('button')];
  const button = buttons.find(
    (each) => /^Connections/.test(each.textContent ?? '') || each.ariaLabel === 'Connections',
  );
  if (button === undefined) throw new Error('there is no button for the connections');
  const began = performance.now();
  button.click();
  while (document.querySelector('.connection-list li svg path') === null) {
    if (performance.now() - began > 60_000) throw new Error('the view never opened');
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - began;
}

/** Runs in the page. Scrolls through the lanes in six seconds, from one end to the other. Resolves with the frames. */
async function scrollLanes(): Promise<number> {
  const list = document.querySelector('.connection-list');
  if (list === null) throw new Error('there is no list');
  const began = performance.now();
  let frames = 0;
  for (let gone = 0; gone < 6000; gone = performance.now() - began) {
    list.scrollTop = (list.scrollHeight * gone) / 6000;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    frames += 1;
  }
  return frames;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-connections-'));
const file = path.join(folder, 'session.roundtrip');
writeFindingsSession(file, EXCHANGES, SHARING);
const host = await serveHost('--session', file);
const opened = await ProbedWindow.open(host.ui, EXCHANGES);
const devtools = await opened.page.context().newCDPSession(opened.page);
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });

/** Milliseconds of CPU of the page's thread, since the page was there. */
async function pageCpu(): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

try {
  const before = await pageCpu();
  const took = await opened.page.evaluate(openView);
  const cpu = (await pageCpu()) - before;
  // The ends of connections come later.
  await opened.page.getByText('The server sent GOAWAY').first().waitFor();
  await opened.enter('scroll');
  const beforeScroll = await pageCpu();
  const drawn = await opened.page.evaluate(scrollLanes);
  const each = ((await pageCpu()) - beforeScroll) / drawn;
  await opened.enter('other');
  const { worst, slow } = await opened.probe();
  const frames =
    `${each.toFixed(1)} ms of CPU for each frame while scrolling; longest ${worst.scroll?.toFixed(0)} ms, ` +
    `${slow.scroll} over 50 ms`;
  console.log(
    `opened in ${took.toFixed(0)} ms (${cpu.toFixed(0)} ms of CPU); ${frames}; load ${os.loadavg()[0]?.toFixed(1)}`,
  );
} finally {
  await opened.close();
  await host.close();
  fs.rmSync(folder, { recursive: true, force: true });
}
process.exit();
