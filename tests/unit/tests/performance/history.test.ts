import { expect, test } from 'vitest';
import { type Entry, slowDowns } from '../../../performance/runner/history.ts';
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

function entry(of: Outcome): Entry {
  const machine = { cpu: '', cores: 2, memoryGb: 8, system: '', node: '', go: '' };
  return { date: '2026-01-01', machine, outcomes: [{ ...of, commit: '0' }] };
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

test('a target is judged by the median of the rounds, and left out where it was not measured', () => {
  const judged = (ours: number[]) =>
    verdicts([outcome(ours, [1000, 1000, 1000])]).map(({ value, met }) => ({ value, met }));
  expect(judged([700, 100, 650])).toEqual([{ value: 0.65, met: true }]);
  expect(judged([500, 900, 400])).toEqual([{ value: 0.5, met: false }]);
});
