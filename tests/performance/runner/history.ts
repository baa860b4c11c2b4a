import fs from 'node:fs';
import path from 'node:path';
import { type Machine, machine } from './machine.ts';
import { HISTORY } from './places.ts';
import type { Outcome, Result } from './scenario.ts';

/** A scenario's outcome, which commit's it is, and of which day. */
export interface Recorded extends Outcome {
  commit: string;
  /** 2026-11-21 */
  day: string;
  /** From `--quick`, which has a shorter warm-up and two rounds: it is compared only with other quick runs. */
  quick?: true;
}

/** One file of tests/performance/history: a day on one machine. A whole run is long and may be done in parts. */
export interface Entry {
  date: string;
  machine: Machine;
  outcomes: Recorded[];
}

/** Four digits exceed the precision of any run. */
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

function ofKind(entries: readonly Entry[], quick: boolean): Entry[] {
  const kept = entries.map((entry) => ({
    ...entry,
    outcomes: entry.outcomes.filter((each) => (each.quick ?? false) === quick),
  }));
  return sorted(kept.filter(({ outcomes }) => outcomes.length > 0));
}

/**
 * The newest outcome of each scenario on one machine, of whole runs: on `here`, or where nothing was measured there on
 * that of the last entry. Null: nothing was measured anywhere.
 */
export function newestOf(entries: readonly Entry[], here: Machine): Entry | null {
  const byDate = ofKind(entries, false);
  const last = byDate.findLast(({ machine: there }) => isSame(there, here)) ?? byDate.at(-1);
  if (!last) return null;
  return { ...last, outcomes: newestOfEach(byDate.filter(({ machine: there }) => isSame(there, last.machine))) };
}

/**
 * What a run on `here` is compared with: the newest outcome of each scenario there, or else the newest of any machine;
 * `quick`: of quick runs, or else of whole ones.
 */
export function baselineOf(entries: readonly Entry[], here: Machine, quick: boolean): Recorded[] {
  const byDate = ofKind(entries, quick);
  const isHere = ({ machine: there }: Entry) => isSame(there, here);
  return newestOfEach([...byDate.filter((entry) => !isHere(entry)), ...byDate.filter(isHere)]);
}

/** All that was saved. */
export function savedEntries(): Entry[] {
  const names = fs.existsSync(HISTORY) ? fs.readdirSync(HISTORY).filter((name) => name.endsWith('.json')) : [];
  return names.map((name) => readEntry(path.join(HISTORY, name)));
}

/** The day's file in `folder` of machine `here`: another machine's file is never extended. */
export function fileOf(folder: string, day: string, here: Machine): string {
  for (let count = 1; ; count += 1) {
    const file = path.join(folder, count === 1 ? `${day}.json` : `${day}-${count}.json`);
    if (!fs.existsSync(file) || isSame(readEntry(file).machine, here)) return file;
  }
}

/** Adds the outcomes of commit `at` to today's file; those of the same scenarios are replaced, but not by void ones. */
export function save(measured: readonly Outcome[], quick: boolean, at: string): string {
  const outcomes = measured.filter(({ results }) => results.some(({ rounds }) => rounds.length > 0));
  const date = new Date().toISOString();
  const day = date.slice(0, 10);
  const here = machine();
  const file = fileOf(HISTORY, day, here);
  const old = fs.existsSync(file) ? readEntry(file) : null;
  const isReplaced = (it: Recorded) => (it.quick ?? false) === quick && outcomes.some(({ name }) => name === it.name);
  const kept = (old?.outcomes ?? []).filter((each) => !isReplaced(each));
  const facts = { commit: at, day, ...(quick ? { quick } : {}) };
  const added = outcomes.map((outcome) => ({ ...outcome, ...facts, results: outcome.results.map(rounded) }));
  const entry: Entry = { date, machine: here, outcomes: [...kept, ...added] };
  fs.mkdirSync(HISTORY, { recursive: true });
  // One round per line, for easy comparison.
  const text = JSON.stringify(entry, null, 1).replaceAll(
    /\{\n\s+"(?=perSecond|p50|load|waitP50|bytesPerSecond|perConnection)[^{}]*\}/g,
    (round) => round.replaceAll(/\s*\n\s*/g, ' '),
  );
  fs.writeFileSync(file, `${text}\n`);
  return file;
}
