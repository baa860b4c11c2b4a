import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Child } from './runner/child.ts';
import type { OriginPorts } from './runner/load-run.ts';
import { type LoadOptions, type LoadResult, runLoadScenario } from './runner/load-scenario.ts';
import { LOAD_CLIENT } from './runner/places.ts';
import { prepare } from './runner/prepare.ts';
import { profileTables } from './runner/profile.ts';
import { LOAD_SCENARIOS, scenarioOf } from './runner/scenarios.ts';
import { loadTable, threadLine } from './runner/table.ts';

const USAGE = `npm run bench -- [options]
  --scenario NAME,...  ${LOAD_SCENARIOS.map(({ name }) => name).join(', ')}
  --only NAME,...      contenders, as the tables name them
  --rounds N           interleaved rounds (5)
  --time SECONDS       measured in each round (2.5)
  --warm-up SECONDS    before it (1)
  --profile FOLDER     each thread of each Node contender writes its CPU profile there; it slows them a little
  --json FILE          write the results there`;

function list(text: string | undefined): string[] | null {
  return text === undefined ? null : text.split(',').filter(Boolean);
}

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    time: { type: 'string', default: '2.5' },
    'warm-up': { type: 'string', default: '1' },
    profile: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

const scenarios = list(values.scenario)?.map(scenarioOf) ?? LOAD_SCENARIOS;
const only = list(values.only);
prepare(new Set(only ?? scenarios.flatMap(({ contenders }) => contenders)));

const profiles = values.profile === undefined ? null : path.resolve(values.profile);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-bench-'));
const upstreamCa = path.join(folder, 'origin-ca.pem');
const origin = new Child({ command: LOAD_CLIENT, args: ['origin', '-ca', upstreamCa] });
const results: Record<string, LoadResult[]> = {};
try {
  const ports = await origin.line<OriginPorts>(5000);
  const spans = { warmUp: Number(values['warm-up']), measured: Number(values.time) };
  const options: LoadOptions = { ports, upstreamCa, folder, rounds: Number(values.rounds), spans, only, profiles };
  for (const scenario of scenarios) {
    const result = await runLoadScenario(scenario, options);
    results[scenario.name] = result;
    console.log(`\n## ${scenario.title} (${scenario.name})\n\n${loadTable(result)}`);
    for (const each of result) if (each.contender.startsWith('roundtrip')) console.log(`\n${threadLine(each)}`);
  }
} finally {
  await origin.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}
for (const name of profiles === null ? [] : fs.readdirSync(profiles)) {
  console.log(`\n# ${name}\n\n${profileTables(path.join(profiles ?? '', name), 25)}`);
}
if (values.json) fs.writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`);
