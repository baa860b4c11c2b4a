import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SCENARIOS, scenariosNamed } from './runner/all-scenarios.ts';
import { baseOf, withBase } from './runner/base.ts';
import { Child, killAll } from './runner/child.ts';
import { NEW_HOSTS } from './runner/connection-scenarios.ts';
import type { Contender } from './runner/contender.ts';
import { baselineOf, newestOf, save, savedEntries } from './runner/history.ts';
import { passes } from './runner/judge.ts';
import { commit, machine } from './runner/machine.ts';
import { closeBrowsers } from './runner/page-browsers.ts';
import { LOAD_CLIENT } from './runner/places.ts';
import { prepare } from './runner/prepare.ts';
import { profileTables } from './runner/profile.ts';
import { section, verdictTable, writePages } from './runner/report.ts';
import { runScenario } from './runner/rounds.ts';
import type { Context, OriginPorts, Outcome, Scenario } from './runner/scenario.ts';
import { verdicts } from './runner/targets.ts';

const USAGE = `npm run bench -- [options]
  --scenario NAME,...  or how names begin; all of them otherwise: ${SCENARIOS.map(({ name }) => name).join(', ')}
  --only NAME,...      contenders, as the tables name them
  --rounds N           interleaved rounds (5; with --base 25)
  --time SECONDS       measured in each round (2.5; with --base 0.5)
  --warm-up SECONDS    before it (1; with --base 0.2)
  --quick              the central scenarios in three minutes: says whether it works, and about how fast
  --base REVISION      builds that commit and runs it, too, in the same rounds
  --check              exits with 1 where a ratio is worse than the recorded one by more than its noise, or where a
                       target that was met then is missed; with --base, where the product is slower than that commit,
                       beyond chance
  --targets            exits with 1 where any target is missed
  --save               adds each scenario to tests/performance/history as it ends
  --write              writes what this machine measured last into docs/performance.md and docs/performance-tables.md;
                       alone, it runs nothing
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
      base: { type: 'string' },
      check: { type: 'boolean', default: false },
      targets: { type: 'boolean', default: false },
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

/**
 * Rounds, and seconds of each. Two builds differ by less than rounds do: many short, alternating rounds compare them
 * best.
 */
const WHOLE = { rounds: 5, warmUp: 1, measured: 2.5 };
const HASTY = { rounds: 2, warmUp: 0.5, measured: 1 };
const BESIDE_BASE = { rounds: 25, warmUp: 0.2, measured: 0.5 };

type Places = Pick<Context, 'ports' | 'folder' | 'upstreamCa' | 'upstreamLeaf'>;

function contextOf(values: Options, base: Contender | null, places: Places): Context {
  const { quick } = values;
  const only = list(values.only) ?? (quick ? QUICK_CONTENDERS : null);
  const usual = base ? BESIDE_BASE : quick ? HASTY : WHOLE;
  return {
    ...{ ...places, quick, base },
    rounds: Number(values.rounds ?? usual.rounds),
    spans: { warmUp: Number(values['warm-up'] ?? usual.warmUp), measured: Number(values.time ?? usual.measured) },
    only: only && base ? [...only, base.name] : only,
    profiles: values.profile === undefined ? null : path.resolve(values.profile),
  };
}

function contendersOf(scenarios: readonly Scenario[]): string[] {
  return scenarios.flatMap(({ contenders }) => contenders);
}

async function run(values: Options, scenarios: readonly Scenario[], base: Contender | null): Promise<Outcome[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-bench-'));
  const upstreamCa = path.join(folder, 'origin-ca.pem');
  const upstreamLeaf = path.join(folder, 'origin-leaf.pem');
  const args = ['origin', '-ca', upstreamCa, '-leaf', upstreamLeaf, '-hosts', String(NEW_HOSTS)];
  const origin = new Child({ command: LOAD_CLIENT, args });
  const outcomes: Outcome[] = [];
  // Before the first round: later commits are not what runs.
  const at = commit();
  try {
    const ports = await origin.line<OriginPorts>(10_000);
    const context = contextOf(values, base, { ports, folder, upstreamCa, upstreamLeaf });
    for (const scenario of scenarios) {
      const outcome = await runScenario(scenario, context);
      // Each is for one contender, which has ended.
      await closeBrowsers();
      outcomes.push(outcome);
      // At once: an interrupted run keeps its results.
      if (values.save) console.log(`saved: ${save([outcome], values.quick, at)}`);
      console.log(`\n${section(scenario, outcome, false)}`);
    }
  } finally {
    await closeBrowsers();
    await origin.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
  return outcomes;
}

async function measure(values: Options): Promise<void> {
  if (values.base !== undefined && values.save) throw new Error('--base is for comparing: leave out --save');
  const scenarios = scenariosNamed(list(values.scenario) ?? (values.quick ? QUICK : ['']));
  prepare(list(values.only) ?? (values.quick ? QUICK_CONTENDERS : contendersOf(scenarios)));
  const base = values.base === undefined ? null : baseOf(values.base);
  // Before anything is saved: a run compared with itself shows no difference.
  const baseline = baselineOf(savedEntries(), machine(), values.quick);
  const outcomes = await run(
    values,
    scenarios.map((scenario) => withBase(scenario, base)),
    base,
  );
  const found = verdicts(outcomes);
  if (found.length > 0) console.log(`\n### Targets\n\n${verdictTable(found)}`);
  if (values.profile !== undefined) printProfiles(path.resolve(values.profile));
  if (!passes(values, outcomes, base, baseline)) process.exitCode = 1;
}

async function main(values: Options): Promise<void> {
  if (values.help) return console.log(USAGE);
  const asserts = values.check || values.targets || values.base !== undefined;
  const runs = !values.write || values.scenario !== undefined || values.save || values.quick || asserts;
  if (runs) await measure(values);
  const entry = values.write ? newestOf(savedEntries(), machine()) : null;
  if (entry) writePages(entry);
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
