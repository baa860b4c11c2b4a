import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SCENARIOS, scenariosNamed } from './runner/all-scenarios.ts';
import { Child, killAll } from './runner/child.ts';
import { NEW_HOSTS } from './runner/connection-scenarios.ts';
import { baselineOf, newestOf, save, savedEntries, slowDowns } from './runner/history.ts';
import { machine } from './runner/machine.ts';
import { closeBrowsers } from './runner/page-browsers.ts';
import { LOAD_CLIENT } from './runner/places.ts';
import { prepare } from './runner/prepare.ts';
import { profileTables } from './runner/profile.ts';
import { section, verdictTable, writePage } from './runner/report.ts';
import { runScenario } from './runner/rounds.ts';
import type { Context, OriginPorts, Outcome } from './runner/scenario.ts';
import { verdicts } from './runner/targets.ts';

const USAGE = `npm run bench -- [options]
  --scenario NAME,...  or how names begin; all of them otherwise: ${SCENARIOS.map(({ name }) => name).join(', ')}
  --only NAME,...      contenders, as the tables name them
  --rounds N           interleaved rounds (5)
  --time SECONDS       measured in each round (2.5)
  --warm-up SECONDS    before it (1)
  --quick              the central scenarios in three minutes: says whether it works, and about how fast
  --check              exits with 1 where a target is missed, or a ratio is worse than the recorded one by more than its noise
  --save               adds the run to tests/performance/history
  --write              writes what this machine measured last into docs/performance.md; alone, it runs nothing
  --profile FOLDER     each thread of each Node contender writes its CPU profile there; it slows them a little`;
const QUICK = [
  'h1-get-ordinary',
  'h1-one-ordinary',
  'h2-get-ordinary',
  'plain-get-ordinary',
  'new-host',
  'events',
  'download',
  'page-h1',
  'page-h2',
];
const QUICK_CONTENDERS = ['direct', 'tunnel', 'roundtrip'];

function options() {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      time: { type: 'string' },
      'warm-up': { type: 'string' },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      profile: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  return values;
}

function list(text: string | undefined): string[] | null {
  return text === undefined ? null : text.split(',').filter(Boolean);
}

type Options = ReturnType<typeof options>;

function contextOf(values: Options, ports: OriginPorts, folder: string, upstreamCa: string): Context {
  const { quick } = values;
  return {
    ...{ ports, folder, upstreamCa, quick },
    rounds: Number(values.rounds ?? (quick ? 2 : 5)),
    spans: {
      warmUp: Number(values['warm-up'] ?? (quick ? 0.5 : 1)),
      measured: Number(values.time ?? (quick ? 1 : 2.5)),
    },
    only: list(values.only) ?? (quick ? QUICK_CONTENDERS : null),
    profiles: values.profile === undefined ? null : path.resolve(values.profile),
  };
}

async function run(values: Options): Promise<Outcome[]> {
  const scenarios = scenariosNamed(list(values.scenario) ?? (values.quick ? QUICK : ['']));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-bench-'));
  const upstreamCa = path.join(folder, 'origin-ca.pem');
  const args = ['origin', '-ca', upstreamCa, '-hosts', String(NEW_HOSTS)];
  const origin = new Child({ command: LOAD_CLIENT, args });
  const outcomes: Outcome[] = [];
  try {
    const context = contextOf(values, await origin.line<OriginPorts>(10_000), folder, upstreamCa);
    for (const scenario of scenarios) {
      const outcome = await runScenario(scenario, context);
      // Each is for one contender, which has ended.
      await closeBrowsers();
      outcomes.push(outcome);
      console.log(`\n${section(scenario, outcome, false)}`);
    }
  } finally {
    await closeBrowsers();
    await origin.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
  return outcomes;
}

/** Says what is wrong, and whether anything is. */
function check(outcomes: readonly Outcome[]): boolean {
  const missed = verdicts(outcomes).filter(({ met }) => !met);
  const slower = slowDowns(baselineOf(savedEntries(), machine()), outcomes);
  for (const { scenario, to, was, is, noise } of slower) {
    console.log(`slower: ${scenario}, x ${to}: ${is.toFixed(2)}, was ${was.toFixed(2)} (noise ${noise.toFixed(2)})`);
  }
  for (const { target, value } of missed) {
    console.log(`missed: ${target.scenario}, ${target.text}: ${value.toFixed(2)}, ${target.is} ${target.limit}`);
  }
  return missed.length + slower.length === 0;
}

async function main(values: Options): Promise<void> {
  if (values.help) return console.log(USAGE);
  const runs = !values.write || values.scenario !== undefined || values.save || values.quick;
  if (runs) {
    prepare(values.quick || values.only !== undefined ? (list(values.only) ?? QUICK_CONTENDERS) : null);
    const outcomes = await run(values);
    const found = verdicts(outcomes);
    if (found.length > 0) console.log(`\n### Targets\n\n${verdictTable(found)}`);
    if (values.profile !== undefined) printProfiles(path.resolve(values.profile));
    if (values.check && !check(outcomes)) process.exitCode = 1;
    if (outcomes.every(({ results }) => results.every(({ rounds }) => rounds.length === 0))) process.exitCode = 1;
    if (values.save) console.log(`\nsaved: ${save(outcomes)}`);
  }
  const entry = values.write ? newestOf(savedEntries(), machine()) : null;
  if (entry) writePage(entry);
}

function printProfiles(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    console.log(`\n## ${name}\n\n${profileTables(path.join(folder, name), 25)}`);
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killAll();
    // Playwright ends its browsers as this process exits.
    process.exit(1);
  });
}
await main(options());
