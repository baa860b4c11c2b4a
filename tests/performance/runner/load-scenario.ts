import fs from 'node:fs';
import { type Contender, contenderOf, folderFor, freePort, type Running } from './contenders.ts';
import { type Measured, type OriginPorts, runLoad, type Spans } from './load-run.ts';
import type { LoadScenario } from './scenarios.ts';
import { median, spread } from './statistics.ts';

export interface LoadOptions {
  ports: OriginPorts;
  upstreamCa: string;
  folder: string;
  rounds: number;
  spans: Spans;
  only: readonly string[] | null;
  /** Where profiles go, a folder a contender; null: none. */
  profiles: string | null;
}

/** The rounds of one contender in one scenario, and how they stand to other contenders' in the same rounds. */
export interface LoadResult {
  contender: string;
  rounds: Measured[];
  /** Why it has no rounds, or fewer. */
  failure: string | null;
}

async function started(contender: Contender, options: LoadOptions): Promise<Running> {
  const folder = folderFor(options.folder, contender.name);
  const profiles = options.profiles === null ? null : folderFor(options.profiles, contender.name);
  return await contender.start({ folder, upstreamCa: options.upstreamCa, port: await freePort(), profiles });
}

/** Every contender answers correctly before it is timed. */
async function checked(scenario: LoadScenario, contender: Contender, options: LoadOptions): Promise<Running> {
  const running = await started(contender, options);
  try {
    await runLoad({ ...scenario, connections: 1 }, contender, running, options.ports, { warmUp: 0.1, measured: 0.4 });
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** Contenders run one at a time, in turn, so that what drifts drifts for all of them. */
export async function runLoadScenario(scenario: LoadScenario, options: LoadOptions): Promise<LoadResult[]> {
  const names = options.only ?? scenario.contenders;
  const lanes: { contender: Contender; running: Running; result: LoadResult }[] = [];
  const results: LoadResult[] = [];
  for (const contender of names.map(contenderOf)) {
    const result: LoadResult = { contender: contender.name, rounds: [], failure: null };
    results.push(result);
    try {
      lanes.push({ contender, result, running: await checked(scenario, contender, options) });
    } catch (error) {
      result.failure = error instanceof Error ? error.message : String(error);
    }
  }
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const { contender, running, result } of lanes) {
        try {
          result.rounds.push(await runLoad(scenario, contender, running, options.ports, options.spans));
        } catch (error) {
          result.failure = error instanceof Error ? error.message : String(error);
        }
      }
    }
  } finally {
    await Promise.all(lanes.map(({ running }) => running.stop()));
    for (const { contender } of lanes) fs.rmSync(folderFor(options.folder, contender.name), { recursive: true });
  }
  return results;
}

/** Median and spread of `of` here divided by `of` there, round by round. Null where either has none. */
export function ratio(
  here: LoadResult | undefined,
  there: LoadResult | undefined,
  of: (measured: Measured) => number,
): { median: number; spread: number } | null {
  if (!here || !there) return null;
  const pairs = Math.min(here.rounds.length, there.rounds.length);
  if (pairs === 0) return null;
  const ratios = here.rounds.slice(0, pairs).map((each, at) => of(each) / of(there.rounds[at] ?? each));
  return { median: median(ratios), spread: spread(ratios) };
}
