import http from 'node:http';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from '@playwright/test';
import { figuresOf, NETWORK_PROFILE_NAMES, type NetworkProfile } from '../../../shared/model/rule/throttle.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../../support/chromium.ts';
import { listen } from '../../support/listen.ts';
import { serveHost } from '../../support/served-host.ts';
import { median } from '../runner/statistics.ts';

/**
 * `node tests/performance/rules/throttled-page.ts [--profile "Slow 4G"] [--rounds 3]`, after `npm run build`: how long
 * a real Chromium takes to load a page through the throttle, next to the arithmetic of the profile: its bytes at the
 * profile's speed, a round trip for TCP, one for the page and one for its parts. In a browser without a cache each
 * time.
 */
const { values } = parseArgs({
  options: {
    profile: { type: 'string', multiple: true, default: ['Slow 3G', 'Slow 4G', 'Fast 4G'] },
    rounds: { type: 'string', default: '3' },
  },
});

const PARTS = 4;
/** How long the parts of a page take at the speed of the profile, seconds. */
const SECONDS = 6;

function profileOf(name: string): NetworkProfile {
  const profile = NETWORK_PROFILE_NAMES.find((known) => known === name);
  if (profile === undefined) throw new Error(`Unknown profile ${name}: use ${NETWORK_PROFILE_NAMES.join(', ')}.`);
  return profile;
}

/** An origin whose page has parts of `bytes` bytes. `sent`: counts what its responses take, heads included. */
async function startOrigin(bytes: number) {
  const sent = { bytes: 0 };
  const server = http.createServer((request, response) => {
    const isPart = request.url?.startsWith('/part') ?? false;
    const parts = Array.from({ length: PARTS }, (_, index) => `<script src="/part${index}" async></script>`);
    const body = isPart ? ' '.repeat(bytes) : `<title>Page</title><link rel="icon" href="data:,">${parts.join('')}`;
    const type = isPart ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': type, 'content-length': body.length });
    response.end(body, () => {
      sent.bytes += request.socket.bytesWritten;
    });
    // Counted per connection, as each has one response.
    response.shouldKeepAlive = false;
  });
  const port = await listen(server);
  return { server, sent, url: `http://127.0.0.1:${port}/` };
}

/** Milliseconds until the page and its parts are loaded, from the start of the navigation. */
async function load(viewer: Browser, proxy: string, url: string): Promise<number> {
  const context = await viewer.newContext({ proxy: { server: proxy, bypass: '<-loopback>' } });
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'load' });
    return await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return (navigation?.loadEventStart ?? 0) - (navigation?.fetchStart ?? 0);
    });
  } finally {
    await context.close();
  }
}

async function measure(viewer: Browser, profile: NetworkProfile): Promise<void> {
  const { downKbps, rttMs } = figuresOf({ profile });
  const { server, sent, url } = await startOrigin(Math.round((downKbps * 1000 * SECONDS) / 8 / PARTS));
  const host = await serveHost('--throttle', profile);
  try {
    const ratios: number[] = [];
    for (let round = 0; round < Number(values.rounds); round += 1) {
      sent.bytes = 0;
      const taken = await load(viewer, host.proxy, url);
      const expected = 3 * rttMs + (sent.bytes * 8) / downKbps;
      ratios.push(taken / expected);
      console.log(
        `${profile}: ${taken.toFixed(0)} ms, arithmetic ${expected.toFixed(0)} ms, ${(taken / expected).toFixed(3)}`,
      );
    }
    console.log(`${profile}: median ${median(ratios).toFixed(3)} of the arithmetic`);
  } finally {
    await host.close();
    server.closeAllConnections();
    server.close();
  }
}

const executablePath = chromiumPath();
if (executablePath === null) throw new Error('Chromium is missing: install it.');
const viewer = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
try {
  for (const name of values.profile) await measure(viewer, profileOf(name));
  console.log(`load ${os.loadavg()[0]?.toFixed(1)}, ${os.cpus().length} cores`);
} finally {
  await viewer.close();
}
