import fs from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { freePort } from '../../support/free-port.ts';
import { type Contender, folderFor, type Running } from './contender.ts';
import { contenderOf } from './contenders.ts';
import type { Context, Outcome, Result, Round, Scenario } from './scenario.ts';

interface Lane {
  contender: Contender;
  running: Running;
  result: Result;
}

async function start(name: string, scenario: Scenario, context: Context, secondProxy: string | null): Promise<Running> {
  return await contenderOf(name, context.base).start({
    folder: folderFor(context.folder, name),
    upstreamCa: context.upstreamCa,
    port: await freePort(),
    origins: context.ports,
    secondProxy,
    openPage: scenario.openPage ?? null,
    session: scenario.session ?? null,
    profiles: context.profiles === null ? null : folderFor(context.profiles, name),
  });
}

async function checked(name: string, scenario: Scenario, context: Context, second: string | null): Promise<Running> {
  const running = await start(name, scenario, context, second);
  try {
    await scenario.check?.(context, contenderOf(name, context.base), running);
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

function sentence(error: unknown): string {
  const text = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  return text.replaceAll(/\s+/g, ' ').slice(0, 120);
}

async function lanesOf(
  scenario: Scenario,
  context: Context,
  results: Result[],
  second: string | null,
): Promise<Lane[]> {
  const lanes: Lane[] = [];
  for (const name of context.only ?? scenario.contenders) {
    const result: Result = { contender: name, rounds: [], failure: null };
    results.push(result);
    try {
      const running = await checked(name, scenario, context, second);
      lanes.push({ contender: contenderOf(name, context.base), result, running });
    } catch (error) {
      result.failure = sentence(error);
    }
  }
  return lanes;
}

async function measure(scenario: Scenario, context: Context, lane: Lane, round: number): Promise<Round | null> {
  try {
    return await scenario.measure(context, lane.contender, lane.running, round);
  } catch (error) {
    lane.result.failure = sentence(error);
    return null;
  }
}

/**
 * Contenders run one at a time, in turn: drift affects all of them. A contender that fails a round is out: rounds are
 * compared one with one.
 */
export async function runScenario(scenario: Scenario, context: Context): Promise<Outcome> {
  const results: Result[] = [];
  const second = scenario.secondProxy ? await start('tunnel', { ...scenario, openPage: null }, context, null) : null;
  const lanes = await lanesOf(scenario, context, results, second?.proxy ?? null);
  try {
    for (let round = 0; round < (scenario.rounds ?? context.rounds); round += 1) {
      // Back and forth: work that one leaves to a disk or a collector affects both of its neighbours.
      const order = round % 2 === 0 ? lanes : lanes.toReversed();
      for (const lane of order.filter(({ result }) => result.failure === null)) {
        const measured = await measure(scenario, context, lane, round);
        if (measured) lane.result.rounds.push(measured);
        else lane.result.rounds = [];
      }
    }
  } finally {
    await Promise.all([...lanes.map(({ running }) => running.stop()), second?.stop()]);
    for (const { contender } of results)
      fs.rmSync(folderFor(context.folder, contender), { recursive: true, force: true });
  }
  return { name: scenario.name, title: scenario.title, results };
}
