import fs from 'node:fs';
import path from 'node:path';
import { scenariosNamed } from './all-scenarios.ts';
import { commit, type Machine, machine } from './machine.ts';
import { ratio, resultOf } from './outcome.ts';
import { HISTORY } from './places.ts';
import type { Outcome, Result, Scenario } from './scenario.ts';

/** A scenario's outcome, which commit's it is, and of which day. */
export interface Recorded extends Outcome {
  commit: string;
  /** 2026-11-21 */
  day: string;
}

/** One file of tests/performance/history: a day on one machine. A whole run is long, so it may be done in parts. */
export interface Entry {
  date: string;
  machine: Machine;
  outcomes: Recorded[];
}

/** Four digits are more than any run is good for. */
function rounded(result: Result): Result {
  const short = (value: number) => Number(value.toPrecision(4));
  const rounds = result.rounds.map((each) =>
    Object.fromEntries(Object.entries(each).map(([name, v]) => [name, short(v)])),
  );
  return { ...result, rounds };
}

function readEntry(file: string): Entry {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/** The newest outcome of each scenario on the machine of the last entry, or null: the first run has nothing to stand beside. */
export function newestOf(entries: readonly Entry[]): Entry | null {
  const byDate = entries.toSorted((a, b) => a.date.localeCompare(b.date));
  const last = byDate.at(-1);
  if (!last) return null;
  const { cpu, cores } = last.machine;
  const here = byDate.filter(({ machine }) => machine.cpu === cpu && machine.cores === cores);
  const newest = new Map(here.flatMap(({ outcomes }) => outcomes.map((each) => [each.name, each] as const)));
  return { ...last, outcomes: [...newest.values()] };
}

/** Of all that was saved. */
export function lastEntry(): Entry | null {
  const names = fs.existsSync(HISTORY) ? fs.readdirSync(HISTORY).filter((name) => name.endsWith('.json')) : [];
  return newestOf(names.map((name) => readEntry(path.join(HISTORY, name))));
}

/** Adds the outcomes to today's file; those of the same scenarios are replaced, but not by what is void. */
export function save(measured: readonly Outcome[]): string {
  const outcomes = measured.filter(({ results }) => results.some(({ rounds }) => rounds.length > 0));
  const date = new Date().toISOString();
  const day = date.slice(0, 10);
  const file = path.join(HISTORY, `${day}.json`);
  const at = commit();
  const old = fs.existsSync(file) ? readEntry(file) : null;
  const kept = (old?.outcomes ?? []).filter(({ name }) => !outcomes.some((each) => each.name === name));
  const added = outcomes.map((outcome) => ({ ...outcome, commit: at, day, results: outcome.results.map(rounded) }));
  const entry: Entry = { date, machine: machine(), outcomes: [...kept, ...added] };
  fs.mkdirSync(HISTORY, { recursive: true });
  // A round a line: that is what one compares.
  const text = JSON.stringify(entry, null, 1).replaceAll(
    /\{\n\s+"(?=perSecond|p50|load|bytesPerSecond|perConnection)[^{}]*\}/g,
    (round) => round.replaceAll(/\s*\n\s*/g, ' '),
  );
  fs.writeFileSync(file, `${text}\n`);
  return file;
}

export interface SlowDown {
  scenario: string;
  to: string;
  was: number;
  is: number;
  noise: number;
}

function slowDown(scenario: Scenario, then: Outcome, now: Outcome, to: string): SlowDown | null {
  const was = ratio(resultOf(then, 'roundtrip'), resultOf(then, to), scenario.metric);
  const is = ratio(resultOf(now, 'roundtrip'), resultOf(now, to), scenario.metric);
  if (was === null || is === null) return null;
  const noise = Math.max(was.spread, is.spread);
  const worse = scenario.better === 'higher' ? was.median - is.median : is.median - was.median;
  return worse > noise ? { scenario: scenario.name, to, was: was.median, is: is.median, noise } : null;
}

/** Where a ratio is worse than the recorded one by more than the rounds' interquartile range. */
export function slowDowns(then: Entry, outcomes: readonly Outcome[]): SlowDown[] {
  return outcomes.flatMap((now) => {
    const before = then.outcomes.find(({ name }) => name === now.name);
    const [scenario] = scenariosNamed([now.name]);
    if (!before || !scenario) return [];
    return scenario.ratiosTo.flatMap((to) => slowDown(scenario, before, now, to) ?? []);
  });
}
