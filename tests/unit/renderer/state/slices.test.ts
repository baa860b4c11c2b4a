import { expect, test } from 'vitest';
import { Slices } from '../../../../renderer/state/slices.ts';

/** A clock that advances a millisecond with each reading, and what waits for the next slice. */
function paced() {
  let now = 0;
  const waiting: (() => void)[] = [];
  const slices = new Slices<string>(
    () => ++now,
    (run) => waiting.push(run),
  );
  const runAll = () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) next();
  };
  return { slices, waiting, runAll };
}

function* counted(steps: number, log: number[], result: string): Generator<void, string> {
  for (let step = 0; step < steps; step += 1) {
    log.push(step);
    yield;
  }
  return result;
}

test('short work is done at once', () => {
  const { slices, waiting } = paced();
  const results: string[] = [];
  slices.start(counted(3, [], 'a'), (result) => results.push(result));
  expect([results, waiting.length, slices.running]).toEqual([['a'], 0, false]);
});

test('long work pauses, and continues where it stopped', () => {
  const { slices, waiting, runAll } = paced();
  const [results, log]: [string[], number[]] = [[], []];
  slices.start(counted(30, log, 'a'), (result) => results.push(result));
  expect([results, waiting.length, slices.running]).toEqual([[], 1, true]);
  expect(log.length).toBeLessThan(30);
  runAll();
  expect([results, slices.running]).toEqual([['a'], false]);
  expect(log).toEqual(Array.from({ length: 30 }, (_, step) => step));
});

test('work that is replaced or cancelled never ends', () => {
  const { slices, runAll } = paced();
  const [results, log]: [string[], number[]] = [[], []];
  const note = (result: string) => results.push(result);
  slices.start(counted(30, log, 'old'), note);
  slices.start(counted(30, [], 'new'), note);
  const begun = log.length;
  runAll();
  expect([results, log.length]).toEqual([['new'], begun]);
  slices.start(counted(30, [], 'cancelled'), note);
  slices.cancel();
  runAll();
  expect([results, slices.running]).toEqual([['new'], false]);
});
