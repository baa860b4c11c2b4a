import { expect, it } from 'vitest';
import { NO_TIMINGS } from '../../../../shared/model/timings.ts';
import { errorsOf, roundOf } from '../../../performance/runner/accuracy-errors.ts';

/**
 * Nanoseconds: a request is out 1 ms on its way, 2 ms being sent, waits 10 ms, and its response is back after 3 ms, all
 * of it after 5.
 */
const NOTED = {
  client: { sent: 100e6, first: 116e6, last: 118e6 },
  origin: { first: 101e6, last: 103e6, answered: 113e6 },
};
const TRUE_ROW = {
  timings: { ...NO_TIMINGS, blocked: 1, send: 2, wait: 10, receive: 5, overheadRequest: 1, overheadResponse: 3 },
  overhead: 4,
  total: 18,
};

it('a correct row has no error', () => {
  expect(errorsOf(TRUE_ROW, NOTED)).toEqual({ wait: 0, blocked: 0, send: 0, receive: 0, overhead: 0, total: 0 });
});

it('says in microseconds by how much each phase is too long or too short', () => {
  const timings = { ...TRUE_ROW.timings, wait: 8, blocked: 3 };
  expect(errorsOf({ ...TRUE_ROW, timings, overhead: 6 }, NOTED)).toMatchObject({
    ...{ wait: -2000, blocked: 2000, overhead: 2000, receive: 0 },
  });
});

it('uses the absolute value of errors, and of the wait only its excess', () => {
  const none = { wait: 0, blocked: 0, send: 0, receive: 0, overhead: 0, total: 0 };
  const round = roundOf([-300, -200, -100, 0, 50].map((wait) => ({ ...none, wait })));
  expect(round).toMatchObject({ waitP50: 100, blockedP99: 0 });
  expect(round.waitP99).toBeCloseTo(296, 6);
  expect(round.waitOver).toBeCloseTo(48, 6);
});
