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

function isSame(a: Machine, b: Machine): boolean {
  return a.cpu === b.cpu && a.cores === b.cores;
}

function newestOfEach(byDate: readonly Entry[]): Recorded[] {
  const newest = new Map(byDate.flatMap(({ outcomes }) => outcomes.map((each) => [each.name, each] as const)));
  return [...newest.values()];
}

function sorted(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.date.localeCompare(b.date));
}

/**
 * The newest outcome of each scenario on one machine: on `here`, or where nothing was measured there on that of the last
 * entry. Null: nothing was measured anywhere.
 */
export function newestOf(entries: readonly Entry[], here: Machine): Entry | null {
  const byDate = sorted(entries);
  const last = byDate.findLast(({ machine: there }) => isSame(there, here)) ?? byDate.at(-1);
  if (!last) return null;
  return { ...last, outcomes: newestOfEach(byDate.filter(({ machine: there }) => isSame(there, last.machine))) };
}

/** What a run on `here` stands beside: of each scenario the newest outcome there, or else the newest of any machine. */
export function baselineOf(entries: readonly Entry[], here: Machine): Recorded[] {
  const byDate = sorted(entries);
  const isHere = ({ machine: there }: Entry) => isSame(there, here);
  return newestOfEach([...byDate.filter((entry) => !isHere(entry)), ...byDate.filter(isHere)]);
}

/** All that was saved. */
export function savedEntries(): Entry[] {
  const names = fs.existsSync(HISTORY) ? fs.readdirSync(HISTORY).filter((name) => name.endsWith('.json')) : [];
  return names.map((name) => readEntry(path.join(HISTORY, name)));
}

/** The day's file in `folder` of machine `here`: another's is never added to, it was measured elsewhere. */
export function fileOf(folder: string, day: string, here: Machine): string {
  for (let count = 1; ; count += 1) {
    const file = path.join(folder, count === 1 ? `${day}.json` : `${day}-${count}.json`);
    if (!fs.existsSync(file) || isSame(readEntry(file).machine, here)) return file;
  }
}

/** Adds the outcomes to today's file; those of the same scenarios are replaced, but not by what is void. */
export function save(measured: readonly Outcome[]): string {
  const outcomes = measured.filter(({ results }) => results.some(({ rounds }) => rounds.length > 0));
  const date = new Date().toISOString();
  const day = date.slice(0, 10);
  const here = machine();
  const file = fileOf(HISTORY, day, here);
  const at = commit();
  const old = fs.existsSync(file) ? readEntry(file) : null;
  const kept = (old?.outcomes ?? []).filter(({ name }) => !outcomes.some((each) => each.name === name));
  const added = outcomes.map((outcome) => ({ ...outcome, commit: at, day, results: outcome.results.map(rounded) }));
  const entry: Entry = { date, machine: here, outcomes: [...kept, ...added] };
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
export function slowDowns(baseline: readonly Outcome[], outcomes: readonly Outcome[]): SlowDown[] {
  return outcomes.flatMap((now) => {
    const before = baseline.find(({ name }) => name === now.name);
    const [scenario] = scenariosNamed([now.name]);
    if (!before || !scenario) return [];
    return scenario.ratiosTo.flatMap((to) => slowDown(scenario, before, now, to) ?? []);
  });
}
