import { beforeEach, expect, test, vi } from 'vitest';
import type { Contender } from '../../../performance/runner/contender.ts';
import { type Asked, passes } from '../../../performance/runner/judge.ts';
import type { Outcome } from '../../../performance/runner/scenario.ts';

const BASE: Contender = {
  name: 'roundtrip abc1234',
  intercepts: true,
  thread: null,
  start: () => Promise.reject(new Error('nothing is started')),
};
const NOTHING_ASKED: Asked = { check: false, targets: false, quick: false };
const CHECK: Asked = { ...NOTHING_ASKED, check: true };

let said: string[] = [];
beforeEach(() => {
  said = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void said.push(line));
  return () => log.mockRestore();
});

/** Eight rounds of both builds; `failure`: why ours has none. */
function outcome(ours: number, base: number, failure: string | null = null): Outcome {
  const rounds = (perSecond: number) => Array.from({ length: 8 }, () => ({ perSecond }));
  return {
    name: 'h1-get-ordinary',
    title: '',
    results: [
      { contender: 'roundtrip', rounds: failure === null ? rounds(ours) : [], failure },
      { contender: BASE.name, rounds: rounds(base), failure: null },
    ],
  };
}

test('a build that is slower than the other fails the check, one that is as fast passes it', () => {
  expect(passes(CHECK, [outcome(900, 1000)], BASE)).toBe(false);
  expect(said).toEqual(['slower: h1-get-ordinary, x roundtrip abc1234: 0.900 (0.900 to 0.900)']);
  expect(passes(CHECK, [outcome(1000, 1000)], BASE)).toBe(true);
  expect(passes(CHECK, [outcome(1100, 1000)], BASE)).toBe(true);
});

test('without a check it is reported, and nothing fails', () => {
  expect(passes(NOTHING_ASKED, [outcome(900, 1000)], BASE)).toBe(true);
  expect(said).toHaveLength(1);
});

test('a scenario that failed our build fails the check, however fast the others are', () => {
  const failed = { ...outcome(0, 1000, 'it answered 500'), name: 'h2-get-ordinary' };
  expect(passes(CHECK, [outcome(1000, 1000), failed], BASE)).toBe(false);
  expect(said).toContain('void: h2-get-ordinary, roundtrip: it answered 500');
});

test('a run without anything to compare with does not pass, and says what to do', () => {
  const few = outcome(1000, 1000);
  for (const result of few.results) result.rounds = result.rounds.slice(0, 7);
  expect(passes(CHECK, [few], BASE)).toBe(false);
  expect(said.join()).toContain('--base HEAD~1 --rounds 25');
});

test('a missed target fails only with --targets', () => {
  const dear = outcome(1000, 1000);
  for (const result of dear.results) result.rounds = result.rounds.map((round) => ({ ...round, threadCpu: 61 }));
  expect(passes(CHECK, [dear], BASE)).toBe(true);
  expect(passes({ ...NOTHING_ASKED, targets: true }, [dear], null)).toBe(false);
  expect(said).toContain("missed: h1-get-ordinary, engine thread's CPU per request, us: 61.00, at most 60");
});

test('a target that was met when recorded fails the check if it is missed now; one that was missed does not', () => {
  const costs = (us: number): Outcome => ({
    name: 'h1-get-ordinary',
    title: '',
    results: ['roundtrip', 'tunnel'].map((contender) => ({
      contender,
      failure: null,
      rounds: [{ perSecond: 1000, threadCpu: us }],
    })),
  });
  expect(passes(CHECK, [costs(61)], null, [costs(59)])).toBe(false);
  expect(said).toEqual(["missed: h1-get-ordinary, engine thread's CPU per request, us: 61.00, at most 60"]);
  expect(passes(CHECK, [costs(61)], null, [costs(62)])).toBe(true);
  expect(passes(CHECK, [costs(59)], null, [costs(59)])).toBe(true);
});

test('a run that measured nothing passes nothing', () => {
  expect(passes(NOTHING_ASKED, [], null)).toBe(false);
});
