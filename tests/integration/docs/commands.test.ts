import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USAGE } from '../../../electron/headless/usage.ts';
import { freePort } from '../../support/free-port.ts';
import { hasProgram } from '../../support/has-program.ts';
import { DIST, RoundtripCli } from '../../support/roundtrip-cli.ts';
import { documentedCommands, mentionsOf, PAGES } from './documented-commands.ts';

/** They end by themselves. */
const ENDING = [
  'roundtrip check new-*.roundtrip --budget budget.yaml --baseline old-*.roundtrip',
  'roundtrip record --budget budget.yaml -- npm test',
  'roundtrip record --port 0 --session run.roundtrip --har run.har -- curl -sS http://localhost:8080/',
  'roundtrip check run.roundtrip --budget budget.yaml --junit junit.xml --html report.html',
  'roundtrip export a.roundtrip --format har --out a.har',
  'roundtrip export a.roundtrip --format csv --filter "host:api status:5xx"',
  'roundtrip export a.roundtrip --format roundtrip --filter "host:api" --out smaller.roundtrip',
  'roundtrip export a.roundtrip --format curl --redact --redact-pattern "[0-9]{16}" --out replay.sh',
  'npx roundtrip record --har out.har -- curl https://example.com/',
  'roundtrip import chrome.har fiddler.saz --session all.roundtrip',
  "roundtrip send shop.roundtrip --filter 'path:/cart method:POST' --times 20 --parallel 4",
  'roundtrip compare monday.roundtrip tuesday.roundtrip',
  'roundtrip record --port 0 --session job-$BUILD.roundtrip --har job-$BUILD.har -- npm test',
  'roundtrip check job-$BUILD.roundtrip --budget budget.json --junit budget.xml --html report.html',
  'roundtrip export job-$BUILD.roundtrip --format parquet --out builds/$BUILD/traffic.parquet',
  'roundtrip export job-*.roundtrip --format parquet --out builds/7/traffic.parquet',
  'roundtrip record --otlp http://localhost:4318 -- npm test',
  'roundtrip export job.roundtrip --format otlp --to http://localhost:4318',
];

/** They run until they are ended; the next command, if any, needs them. */
const LASTING: readonly string[][] = [
  ['roundtrip serve --reverse 9000=https://api.example.com', 'curl http://localhost:9000/users'],
  [
    'roundtrip serve --port 8866',
    'curl --proxy socks5h://127.0.0.1:8866 --cacert roundtrip-ca.pem https://api.example.com/',
  ],
  ['roundtrip record --session shop.roundtrip --har shop.har'],
];

const BENCHMARK = 'minutes to an hour, on an idle machine: the nightly workflow runs the benchmark';
const LAB = 'minutes in a real Chromium: tests/integration/lab runs the lab, and its options are checked below';
const ITSELF = 'runs this test';
const RECIPE = 'ci-recipes.test.ts runs it as far as this machine has its program';
/** By their beginnings: why they do not run here. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci': 'installs the packages that this test uses: the first step of CI',
  'npm start': 'opens a window for its user: tests/e2e/desktop.e2e.ts starts the app',
  'npm test': ITSELF,
  'npx vitest run': ITSELF,
  'npm run lint': 'a step of npm test',
  'npm run fuzz': 'takes an hour: npm test fuzzes for a minute',
  'npm run bench': BENCHMARK,
  'node tests/performance': BENCHMARK,
  'roundtrip lab': LAB,
  'roundtrip rules': 'rules-examples.test.ts runs them, and compares what they print with the page',
  'roundtrip record --budget budget.yaml -- npx playwright test': RECIPE,
  "roundtrip record --budget budget.yaml -- env NO_PROXY='<-loopback>' npx cypress run": RECIPE,
};

let folder = '';
let origin: http.Server;
/** The stand-ins for the hosts, ports and files of the documentation. */
let standIns: [string, string][] = [];

/** Both SOURCEs of an import, or of a comparison, are the same recording. */
const COPIES = ['a', 'shop', 'monday', 'tuesday', 'new-1', 'old-1', 'job'].map((name) => `${name}.roundtrip`);
const BUDGET = 'budget:\n  - count < 120\n  - findings == 0 where severity:high\n';

function environment(): NodeJS.ProcessEnv {
  // npm checks for its own newest version, which would be recorded.
  const quiet = { npm_config_update_notifier: 'false' };
  return {
    ...process.env,
    ...quiet,
    HOME: folder,
    XDG_DATA_HOME: path.join(folder, 'data'),
    PATH: `${folder}:${process.env.PATH}`,
  };
}

/** Others may use the default port now. */
function shown(command: string): string {
  const text = standIns.reduce((changed, [from, to]) => changed.replaceAll(from, to), command);
  return text.includes('--port') ? text : text.replace(/^roundtrip (record|serve)/, '$& --port 0');
}

/** Rejects if the command fails. */
async function run(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', shown(command)], { cwd: folder, env: environment() });
  return stdout;
}

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-documented-'));
  origin = http.createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const [reverse, proxy] = [await freePort(), await freePort()];
  standIns = [
    ['npx roundtrip', 'roundtrip'],
    ['http://localhost:8080', url],
    ['https://example.com', url],
    // It accepts what a collector gets.
    ['http://localhost:4318', url],
    ['$BUILD', '7'],
    ['https://api.example.com', url],
    ['9000', String(reverse)],
    ['8866', String(proxy)],
    ['fiddler.saz', 'other.har'],
  ];
  const launcher = `#!/bin/sh\nexec '${process.execPath}' '${path.join(DIST, 'cli.cjs')}' "$@"\n`;
  fs.writeFileSync(path.join(folder, 'roundtrip'), launcher, { mode: 0o755 });
  for (const name of ['budget.yaml', 'budget.json']) fs.writeFileSync(path.join(folder, name), BUDGET);
  fs.mkdirSync(path.join(folder, 'builds/7'), { recursive: true });
  const scripts = { test: `curl -sS -o test.out ${url}/users/2` };
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts }));
  const requests = `curl -sS -d item=1 ${url}/cart && curl -sS ${url}/users/2`;
  await run(`roundtrip record --port 0 --session recorded.roundtrip --har chrome.har -- sh -c '${requests}'`);
  for (const copy of COPIES) fs.copyFileSync(path.join(folder, 'recorded.roundtrip'), path.join(folder, copy));
  fs.copyFileSync(path.join(folder, 'chrome.har'), path.join(folder, 'other.har'));
});
afterAll(() => {
  origin.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32' || !hasProgram('curl'))('the commands of the documentation', () => {
  it('all run here, or a line gives the reason', () => {
    const running = new Set([...ENDING, ...LASTING.flat()]);
    const others = documentedCommands().filter((command) => !running.delete(command));
    const unknown = others.filter((command) => !Object.keys(NOT_RUN).some((start) => command.startsWith(start)));
    expect(unknown).toEqual([]);
    expect([...running]).toEqual([]);
    const stale = Object.keys(NOT_RUN).filter((start) => !others.some((command) => command.startsWith(start)));
    expect(stale).toEqual([]);
  });

  it.each(ENDING)('%s', async (command) => {
    await run(command);
    for (const [, file = ''] of shown(command).matchAll(/--(?:out|session|har|junit|html) (\S+)/g))
      expect(fs.statSync(path.join(folder, file)).size).toBeGreaterThan(0);
  });

  it.each(LASTING)('%s', async (command = '', meanwhile?: string) => {
    const cli = new RoundtripCli([...shown(command).split(' ').slice(1), '--json']);
    const { ca } = await cli.ready();
    fs.copyFileSync(ca, path.join(folder, 'roundtrip-ca.pem'));
    if (meanwhile !== undefined) expect(await run(meanwhile)).toBe('hello');
    cli.child.kill('SIGINT');
    expect((await cli.finished).exitCode).toBe(0);
  });

  it('are commands and options that --help lists', () => {
    const mentions = PAGES.flatMap(mentionsOf).map((mention) => mention.split(' -- ')[0] ?? '');
    const options = mentions.flatMap((mention) => mention.match(/--[a-z][a-z-]*/g) ?? []);
    expect(options.filter((option) => !USAGE.includes(option) && option !== '--help')).toEqual([]);
    const names = mentions.flatMap((mention) => /^roundtrip ([a-z]+)/.exec(mention)?.[1] ?? []);
    expect(names.filter((name) => !USAGE.includes(`roundtrip ${name}`))).toEqual([]);
  });
});
