import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { baselineOf, type Entry, fileOf, newestOf } from '../../../performance/runner/history.ts';
import type { Outcome } from '../../../performance/runner/scenario.ts';
import { verdicts } from '../../../performance/runner/targets.ts';

function outcome(ours: readonly number[], tunnel: readonly number[]): Outcome {
  const result = (contender: string, values: readonly number[]) => ({
    contender,
    failure: null,
    rounds: values.map((perSecond) => ({ perSecond })),
  });
  return { name: 'h1-get-ordinary', title: '', results: [result('roundtrip', ours), result('tunnel', tunnel)] };
}

function machineWith(cores: number) {
  return { cpu: '', cores, memoryGb: 8, system: '', node: '', go: '' };
}

function entry(of: Outcome, day = '2026-01-01', cores = 2): Entry {
  return { date: `${day}T10:00:00Z`, machine: machineWith(cores), outcomes: [{ ...of, commit: '0', day }] };
}

test('the newest outcome of each scenario counts, regardless of other scenarios', () => {
  const one = outcome([600], [1000]);
  const again = outcome([700], [1000]);
  const other = { ...one, name: 'h1-post-ordinary' };
  const elsewhere = { ...one, name: 'h1-one-ordinary' };
  const days = [entry(again, '2026-01-03'), entry(one), entry(other, '2026-01-02'), entry(elsewhere, '2026-01-02', 64)];
  const newest = [
    { ...again, commit: '0', day: '2026-01-03' },
    { ...other, commit: '0', day: '2026-01-02' },
  ];
  expect(newestOf(days, machineWith(2))?.outcomes).toEqual(newest);
  expect(newestOf([], machineWith(2))).toBeNull();
  expect(newestOf(days, machineWith(64))?.outcomes).toEqual([{ ...elsewhere, commit: '0', day: '2026-01-02' }]);
  expect(newestOf(days, machineWith(8))?.outcomes).toEqual(newest);
});

test('a run is compared with its own machine, or with another if that measured nothing', () => {
  const [one, again] = [outcome([600], [1000]), outcome([700], [1000])];
  const other = { ...one, name: 'h1-post-ordinary' };
  const days = [entry(one), entry(other, '2026-01-02', 64), entry(again, '2026-01-03', 64)];
  const rounds = (cores: number) =>
    baselineOf(days, machineWith(cores), false).map(({ name, results }) => [name, results[0]?.rounds[0]?.perSecond]);
  expect(rounds(2).toSorted()).toEqual([
    ['h1-get-ordinary', 600],
    ['h1-post-ordinary', 600],
  ]);
  expect(rounds(64)).toContainEqual(['h1-get-ordinary', 700]);
  expect(rounds(8)).toContainEqual(['h1-get-ordinary', 700]);
  expect(baselineOf([], machineWith(2), false)).toEqual([]);
});

test('a quick run is compared only with quick runs, and is in no table', () => {
  const [whole, hasty] = [outcome([600], [1000]), outcome([500], [1000])];
  const of = entry(whole);
  const both = {
    ...of,
    outcomes: [...of.outcomes, { ...hasty, commit: '0', day: '2026-01-01', quick: true as const }],
  };
  const first = (quick: boolean) =>
    baselineOf([both], machineWith(2), quick).map(({ results }) => results[0]?.rounds[0]?.perSecond);
  expect([first(false), first(true)]).toEqual([[600], [500]]);
  expect(baselineOf([of], machineWith(2), true)).toEqual([]);
  expect(newestOf([both], machineWith(2))?.outcomes).toMatchObject([whole]);
});

test('a day has a file for each machine that measured on it', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-history-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const named = (cores: number) => path.basename(fileOf(folder, '2026-01-01', machineWith(cores)));
  const measured = (name: string, cores: number) =>
    fs.writeFileSync(path.join(folder, name), JSON.stringify(entry(outcome([600], [1000]), '2026-01-01', cores)));
  expect(named(2)).toBe('2026-01-01.json');
  measured('2026-01-01.json', 2);
  expect([named(2), named(8)]).toEqual(['2026-01-01.json', '2026-01-01-2.json']);
  measured('2026-01-01-2.json', 8);
  expect([named(2), named(8), named(64)]).toEqual(['2026-01-01.json', '2026-01-01-2.json', '2026-01-01-3.json']);
});

test('a target is judged by the median of the rounds, and left out if it was not measured', () => {
  const judged = (ours: number[]) =>
    verdicts([outcome(ours, [1000, 1000, 1000])]).map(({ value, met }) => ({ value, met }));
  expect(judged([700, 100, 650])).toEqual([{ value: 0.65, met: true }]);
  expect(judged([500, 900, 400])).toEqual([{ value: 0.5, met: false }]);
});
