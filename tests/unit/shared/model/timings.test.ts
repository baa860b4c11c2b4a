import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EMPTY_HAR_BODY, harEntry } from '../../../../shared/format/har.ts';
import type { HarEntry } from '../../../../shared/format/har-types.ts';
import { grownTimings, NO_TIMINGS, runningPhase, type Timings, totalTime } from '../../../../shared/model/timings.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';

/** Milliseconds with microseconds as decimals, or -1. */
const phase = fc.oneof(
  fc.constant(-1),
  fc.nat(90_000_000).map((microseconds) => microseconds / 1000),
);
const timings: fc.Arbitrary<Timings> = fc
  .tuple(phase, phase, phase, phase, phase, phase, fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([blocked, dns, connect, send, wait, receive, share]) => ({
    ...NO_TIMINGS,
    ...{ blocked, dns, connect, send, wait, receive },
    ssl: connect < 0 ? -1 : Math.round(connect * share * 1000) / 1000,
  }));

/** Of the phases of an entry; whole microseconds, for they are exact. */
const sumOf = ({ ssl: _inside, comment: _none, ...phases }: Record<string, unknown>) =>
  Object.values(phases).reduce<number>((sum, each) => sum + Math.round(Math.max(Number(each), 0) * 1000), 0);

it('time in HAR is the sum of its phases to the microsecond, and unknown is not 0', () => {
  fc.assert(
    fc.property(timings, fc.constantFrom('complete' as const, 'failed' as const), (each, state) => {
      const bodies = { request: EMPTY_HAR_BODY, response: EMPTY_HAR_BODY };
      const entry: HarEntry = JSON.parse(harEntry(exampleExchange({ timings: each, state }), bodies, 'page_1'));
      expect(Math.round(entry.time * 1000)).toBe(sumOf({ ...entry.timings }));
      expect(entry.time).toBe(Math.round(entry.time * 1000) / 1000);
      const unknown = state === 'complete' || Math.max(...Object.values(each)) < 0 ? -1 : 0;
      for (const name of ['send', 'wait', 'receive'] as const)
        expect(entry.timings[name]).toBe(each[name] < 0 ? unknown : each[name]);
      expect(entry.timings.ssl ?? -1).toBeLessThanOrEqual(entry.timings.connect ?? -1);
    }),
  );
});

it.each([
  ['blocked', {}],
  ['blocked', { blocked: 4, failedTries: 4 }],
  ['send', { blocked: 1, overheadRequest: 1 }],
  ['wait', { blocked: 1, overheadRequest: 1, send: 0 }],
  ['receive', { blocked: 1, overheadRequest: 1, send: 0, wait: 3 }],
])('in an open exchange %s goes on where %o is known', (running, known) => {
  expect(runningPhase({ ...NO_TIMINGS, ...known })).toBe(running);
});

it('the phases of an open exchange add up to the time since it began', () => {
  expect(grownTimings({ ...NO_TIMINGS, blocked: 4, failedTries: 4 }, 10)).toMatchObject({
    blocked: 10,
    failedTries: 4,
  });
  const stage = fc.constantFrom<Partial<Timings>>(
    { blocked: 1, dns: 2, connect: 3, overheadRequest: 1 },
    { blocked: 1, overheadRequest: 1, send: 2 },
    { blocked: 1, overheadRequest: 1, send: 2, wait: 3 },
  );
  fc.assert(
    fc.property(stage, fc.integer({ min: 6, max: 1e9 }), (known, elapsed) => {
      expect(totalTime(grownTimings({ ...NO_TIMINGS, ...known }, elapsed))).toBeCloseTo(elapsed, 6);
    }),
  );
});
