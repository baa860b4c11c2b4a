import { expect, test } from 'vitest';
import { type Entry, newestOf, slowDowns } from '../../../performance/runner/history.ts';
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

function entry(of: Outcome, day = '2026-01-01', cores = 2): Entry {
  const machine = { cpu: '', cores, memoryGb: 8, system: '', node: '', go: '' };
  return { date: `${day}T10:00:00Z`, machine, outcomes: [{ ...of, commit: '0', day }] };
}

test('a ratio that is worse by more than the noise is a slow-down', () => {
  const then = entry(outcome([600, 610, 590], [1000, 1000, 1000]));
  expect(slowDowns(then, [outcome([400, 410, 390], [1000, 1000, 1000])])).toMatchObject([
    { scenario: 'h1-get-ordinary', to: 'tunnel', was: 0.6, is: 0.4 },
  ]);
});

test('a machine that is slower for everyone is none, nor is a difference within the rounds', () => {
  const then = entry(outcome([600, 610, 590], [1000, 1000, 1000]));
  expect(slowDowns(then, [outcome([300, 305, 295], [500, 500, 500])])).toEqual([]);
  expect(slowDowns(then, [outcome([590, 640, 540], [1000, 1000, 1000])])).toEqual([]);
});

test('a scenario stands as it was measured last, whatever was measured since', () => {
  const one = outcome([600], [1000]);
  const again = outcome([700], [1000]);
  const other = { ...one, name: 'h1-post-ordinary' };
  const elsewhere = { ...one, name: 'h1-one-ordinary' };
  const days = [entry(again, '2026-01-03'), entry(one), entry(other, '2026-01-02'), entry(elsewhere, '2026-01-02', 64)];
  expect(newestOf(days)?.outcomes).toEqual([
    { ...again, commit: '0', day: '2026-01-03' },
    { ...other, commit: '0', day: '2026-01-02' },
  ]);
  expect(newestOf([])).toBeNull();
});

test('a target is judged by the median of the rounds, and left out where it was not measured', () => {
  const judged = (ours: number[]) =>
    verdicts([outcome(ours, [1000, 1000, 1000])]).map(({ value, met }) => ({ value, met }));
  expect(judged([700, 100, 650])).toEqual([{ value: 0.65, met: true }]);
  expect(judged([500, 900, 400])).toEqual([{ value: 0.5, met: false }]);
});
