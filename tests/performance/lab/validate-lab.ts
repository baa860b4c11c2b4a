/**
 * Whether the lab's replay takes as long as the server that was recorded:
 * `npm run build && node tests/performance/lab/validate-lab.ts [--images 1000] [--size 10000] [--minutes 5] [--rtt
 * 0,20] [--protocol http1,http2]`. A page of images is served by a plain node:https or node:http2 server and recorded
 * by Roundtrip with a real Chromium. Then the lab's own browser loads it in turn from that server and from the replay
 * of the recording. At a round-trip time both stand behind the same emulated network.
 *
 * Against the machine's noise: the two are loaded one after the other, each first in half of the rounds, and only loads
 * of one round are compared. Rounds continue for that many minutes, but there are at least 8. Prints medians with 95 %
 * intervals, the ratio of the two with its 99 % interval, the verdict, and the same ratio of the plain server with
 * itself a round before, which shows the noise.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openCertificateAuthority } from '../../../electron/engine/ca/certificate-authority.ts';
import { findChromium, LabBrowser } from '../../../electron/lab/browser/lab-browser.ts';
import { BrowsingContext } from '../../../electron/lab/browser/load-page.ts';
import type { PageTimings } from '../../../electron/lab/browser/page-timings.ts';
import { pinnedScript } from '../../../electron/lab/browser/pinned-script.ts';
import { readPage } from '../../../electron/lab/page/read-page.ts';
import type { RecordedPage } from '../../../electron/lab/page/recorded-page.ts';
import { ReplayNetwork } from '../../../electron/lab/replay/replay-network.ts';
import { medianInterval } from '../../../electron/lab/results/median-interval.ts';
import { VARIANTS } from '../../../electron/lab/variants.ts';
import { openSource } from '../../../electron/session/import/open-source.ts';
import type { SessionReader } from '../../../electron/session/read/session-reader.ts';
import { Child } from '../runner/child.ts';
import { median, ratioInterval } from '../runner/statistics.ts';
import { recordPage } from './record-page.ts';

const PROTOCOLS = ['http1', 'http2'] as const;
type Protocol = (typeof PROTOCOLS)[number];

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: '1000' },
    size: { type: 'string', default: '10000' },
    minutes: { type: 'string', default: '5' },
    rtt: { type: 'string', default: '0,20' },
    protocol: { type: 'string', default: 'http1,http2' },
  },
});
const images = Number(values.images);
const deadline = Number(values.minutes) * 60_000;
/** The fewest that an interval of 99 % needs. */
const FEWEST = 8;
/** The goal: ratios within it of 1. */
const GOAL = 0.05;
const rtts = values.rtt.split(',').map(Number);

/** The browser's name for the plain server: below `localhost`, as the recorded name is. */
const PLAIN = 'plain.localhost';
/** Recorded loads, of which one is replayed. */
const RECORDED = 5;

/** One way to load the page. */
interface Contender {
  name: string;
  browser: LabBrowser;
  url: string;
  /** Before a load. */
  begin: () => void;
  times: number[];
  ttfbs: number[];
}

/** Both at one protocol and round-trip time. */
interface Pair {
  protocol: Protocol;
  rtt: number;
  plain: Contender;
  lab: Contender;
}

async function loadOnce({ browser, url, begin }: Contender): Promise<PageTimings> {
  const context = await BrowsingContext.open(browser.devtools);
  try {
    begin();
    // Both respond to everything before the load event: nothing settles after it.
    const timings = await context.visit({ url, script: pinnedScript(0), settled: async () => undefined });
    const complete = timings.requests.filter(({ size }) => size > 0).length;
    if (complete !== images + 1) throw new Error(`${url}: ${complete} of ${images + 1} responses were complete`);
    return timings;
  } finally {
    await context.close();
  }
}

async function measured(contender: Contender): Promise<void> {
  const { time, ttfb } = await loadOnce(contender);
  contender.times.push(time);
  contender.ttfbs.push(ttfb);
}

/** The two take turns at going first. */
async function rounds(pairs: readonly Pair[]): Promise<void> {
  // The first load of a server is slower than all others.
  for (const { plain, lab } of pairs) for (const each of [plain, lab]) await loadOnce(each);
  for (let round = 0; round < FEWEST || performance.now() < deadline; round += 1) {
    for (const { plain, lab } of pairs)
      for (const each of round % 2 ? [lab, plain] : [plain, lab]) await measured(each);
    process.stderr.write(`round ${round + 1}, ${Math.round(performance.now() / 1000)} s\n`);
  }
}

const milliseconds = (number: number): string => number.toFixed(0).padStart(8);

function lineOf({ name, times, ttfbs }: Contender): string {
  const { median: middle, low, high } = medianInterval(times);
  return `${name.padEnd(30)}${[middle, low, high, median(ttfbs)].map(milliseconds).join('')}`;
}

/** A ratio of medians would compare loads of different moments. */
function ratioLine(name: string, times: readonly number[], others: readonly number[]): string {
  const interval = ratioInterval(times.map((time, at) => time / (others[at] ?? Number.NaN)));
  if (interval === null) return '';
  const { low, middle, high } = interval;
  const isWithin = low >= 1 - GOAL && high <= 1 + GOAL;
  const isOutside = low > 1 + GOAL || high < 1 - GOAL;
  const verdict = isWithin ? 'within 5 %' : isOutside ? 'not within 5 %' : 'too noisy to tell';
  const numbers = `${middle.toFixed(3).padStart(8)}  (${low.toFixed(3)} to ${high.toFixed(3)})`;
  return `${name.padEnd(30)}${numbers}  ${verdict}\n`;
}

function linesOf({ plain, lab }: Pair): string {
  const noise = ratioLine('  plain / itself, round before', plain.times.slice(1), plain.times);
  return `${lineOf(plain)}\n${lineOf(lab)}\n${ratioLine('  lab / plain', lab.times, plain.times)}${noise}`;
}

/**
 * The page, with the shortest time that the server took for each response in any of the recorded loads. The recording
 * shares the machine with the proxy and the browser: a server that has no core for 40 ms responds to everything that
 * it got meanwhile 40 ms later, and the replay would wait for that again.
 */
async function undisturbedPage(reader: SessionReader): Promise<RecordedPage> {
  const page = await readPage(reader, 1);
  const shortest = new Map(page.responses.map((response) => [response.path, response.serverTime]));
  for (let number = 2; number <= RECORDED; number += 1)
    for (const { path: of, serverTime } of (await readPage(reader, number)).responses)
      shortest.set(of, Math.min(serverTime, shortest.get(of) ?? serverTime));
  for (const response of page.responses) response.serverTime = shortest.get(response.path) ?? response.serverTime;
  return page;
}

/** The plain server of a protocol, and the replay of its recording, at each round-trip time. */
async function pairsOf(protocol: Protocol, ports: Record<string, number>, folder: string, closing: (() => unknown)[]) {
  const origin = `https://localhost:${ports[`${protocol} 0`]}/`;
  const file = path.join(folder, `${protocol}.roundtrip`);
  await recordPage(origin, RECORDED, path.join(folder, protocol), file);
  const opened = await openSource(file);
  closing.push(() => opened.close());
  const page = await undisturbedPage(opened.reader);
  const authority = await openCertificateAuthority(folder);
  const network = await ReplayNetwork.open(page, (id) => opened.reader.bodyPieces(id, 'response'), authority);
  closing.push(() => network.close());
  const waits = page.responses.map(({ serverTime }) => serverTime);
  process.stdout.write(
    `${protocol}: ${waits.length} responses recorded, server time ${median(waits).toFixed(1)} ms (median), ` +
      `${waits.filter((wait) => wait >= 1).length} of 1 ms or more, the longest ${Math.max(...waits).toFixed(0)} ms\n`,
  );
  // One browser for both: two of them differ by more than what is measured.
  const browser = await LabBrowser.start({
    browser: await findChromium(),
    resolverRules: network.resolverRules.replace('MAP * ~NOTFOUND', 'MAP * 127.0.0.1'),
    ...{ spkiHash: authority.spkiHash, webSecurity: true },
  });
  closing.push(() => browser.close());
  return rtts.map((rtt): Pair => {
    const contender = (who: string, of: Pick<Contender, 'browser' | 'url' | 'begin'>): Contender => ({
      ...{ name: `${protocol}, ${rtt} ms, ${who}`, times: [], ttfbs: [], ...of },
    });
    const begin = () => network.begin(VARIANTS[protocol], protocol === 'http2', { rtt, bandwidth: 0 });
    // Under the recorded name, the browser would find the replay.
    const url = `https://${PLAIN}:${ports[`${protocol} ${rtt}`]}/`;
    return {
      ...{ protocol, rtt },
      plain: contender('plain server', { browser, url, begin: () => undefined }),
      lab: contender('lab', { browser, url: page.url, begin }),
    };
  });
}

async function main(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-validate-'));
  const closing: (() => unknown)[] = [() => fs.rmSync(folder, { recursive: true, force: true })];
  try {
    await openCertificateAuthority(folder);
    const args = [path.join(import.meta.dirname, 'plain-server.ts'), folder, values.images, values.size];
    const server = new Child({ command: process.execPath, args: [...args, [...new Set([0, ...rtts])].join(',')] });
    closing.push(() => server.stop());
    const ports = await server.line<Record<string, number>>(30_000);
    const pairs: Pair[] = [];
    for (const protocol of PROTOCOLS.filter((one) => values.protocol.split(',').includes(one)))
      pairs.push(...(await pairsOf(protocol, ports, folder, closing)));
    await rounds(pairs);
    process.stdout.write(`${'load of the page, ms'.padEnd(30)}  median     low    high    ttfb\n`);
    for (const pair of pairs) process.stdout.write(linesOf(pair));
    process.stdout.write(
      `load average ${os
        .loadavg()
        .map((load) => load.toFixed(1))
        .join(' ')}, ${os.cpus().length} cores\n`,
    );
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

await main();
