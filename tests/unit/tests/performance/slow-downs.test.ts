import { expect, test } from 'vitest';
import type { Outcome } from '../../../performance/runner/scenario.ts';
import { againstBase, againstRecorded } from '../../../performance/runner/slow-downs.ts';

function outcome(
  contenders: Record<string, readonly number[]>,
  name = 'h1-get-ordinary',
  metric = 'perSecond',
): Outcome {
  const results = Object.entries(contenders).map(([contender, values]) => ({
    contender,
    failure: null,
    rounds: values.map((value) => ({ [metric]: value })),
  }));
  return { name, title: '', results };
}

const withTunnel = (ours: readonly number[], tunnel: number) =>
  outcome({ roundtrip: ours, tunnel: ours.map(() => tunnel) });

test('a ratio that is worse than the recorded one by more than the noise is slower, and a better one is faster', () => {
  const then = [withTunnel([600, 610, 590], 1000)];
  const compared = (ours: readonly number[]) => againstRecorded(then, [withTunnel(ours, 1000)]);
  expect(compared([400, 410, 390])).toEqual([
    { scenario: 'h1-get-ordinary', to: 'tunnel', verdict: 'slower', text: '0.40, was 0.60 (noise 0.01)' },
  ]);
  expect(compared([800, 810, 790])).toMatchObject([{ verdict: 'faster' }]);
});

test('a slower machine is not a slow-down, nor is a difference within the rounds', () => {
  const then = [withTunnel([600, 610, 590], 1000)];
  expect(againstRecorded(then, [withTunnel([300, 305, 295], 500)])).toMatchObject([{ verdict: 'no difference' }]);
  expect(againstRecorded(then, [withTunnel([590, 640, 540], 1000)])).toMatchObject([{ verdict: 'no difference' }]);
});

test('an unrecorded scenario is compared with nothing', () => {
  expect(againstRecorded([], [withTunnel([600], 1000)])).toEqual([]);
});

/** Rounds of two builds whose speed varies by half, in step. */
function besideBase(ratios: readonly number[], name?: string, metric?: string): Outcome {
  const base = ratios.map((_ratio, at) => 1000 + 500 * Math.sin(at));
  const ours = ratios.map((ratio, at) => ratio * (base[at] ?? 0));
  return outcome({ roundtrip: ours, base }, name, metric);
}

test('compared with another build, a small difference is reported if nearly all rounds have it', () => {
  const slower = besideBase([0.95, 0.96, 0.94, 0.97, 0.95, 0.96, 0.93, 0.95]);
  expect(againstBase('base', [slower])).toEqual([
    { scenario: 'h1-get-ordinary', to: 'base', verdict: 'slower', text: '0.950 (0.930 to 0.970)' },
  ]);
  expect(againstBase('base', [besideBase([1.05, 1.06, 1.04, 1.07, 1.05, 1.06, 1.03, 1.05])])).toMatchObject([
    { verdict: 'faster' },
  ]);
  expect(againstBase('base', [besideBase([0.95, 0.96, 0.94, 1.01, 0.95, 0.96, 0.93, 0.95])])).toMatchObject([
    { verdict: 'no difference' },
  ]);
});

test('a larger time is slower', () => {
  const times = besideBase([1.05, 1.06, 1.04, 1.07, 1.05, 1.06, 1.03, 1.05], 'page-h1', 'load');
  expect(againstBase('base', [times])).toMatchObject([{ scenario: 'page-h1', verdict: 'slower' }]);
});

test('seven rounds prove nothing about another build: chance may give all of them one sign', () => {
  expect(againstBase('base', [besideBase([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5])])).toEqual([]);
});
