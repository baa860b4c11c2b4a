import { expect, it } from 'vitest';
import { axisSpan, grownRow } from '../../../../../renderer/features/traffic/grown-row.ts';
import { NO_TIMINGS, type Timings, totalTime } from '../../../../../shared/model/timings.ts';
import { sampleRow } from '../../../../support/sample-inspector/sample-rows.ts';

const WAITING: Timings = { ...NO_TIMINGS, blocked: 1, send: 1, overheadRequest: 1 };

/** A row that began at 1000 on the host's clock. */
function row(timings: Timings, state: 'open' | 'complete' = 'open') {
  return sampleRow(1, { state, startedAt: 1000, timings, total: totalTime(timings) });
}

it('an open row is as long as it has been open, and its phases with it', () => {
  const grown = grownRow(row(WAITING), 1500);
  expect(grown).toMatchObject({ total: 500, timings: { blocked: 1, send: 1, wait: 498 } });
  expect(totalTime(grown.timings)).toBe(grown.total);
});

it('an exchange without known phases is blocked', () => {
  expect(grownRow(row(NO_TIMINGS), 1030)).toMatchObject({ total: 30, timings: { blocked: 30, wait: -1 } });
});

it('it is at least as long as its known phases, regardless of the clocks', () => {
  expect(grownRow(row(WAITING), 900)).toMatchObject({ total: 2, timings: { wait: 0 } });
});

it('an ended row stays unchanged', () => {
  const over = row({ ...WAITING, wait: 5, receive: 1 }, 'complete');
  expect(grownRow(over, 9000)).toBe(over);
});

it('an axis grows in steps with waiting exchanges, and not with streaming ones', () => {
  const over = row({ ...WAITING, wait: 97, receive: 1 }, 'complete');
  const flows = row({ ...WAITING, wait: 5 });
  expect(axisSpan([over, flows], () => 0, 61_000)).toBe(100);
  expect(axisSpan([over, row(WAITING)], () => 0, 1050)).toBe(100);
  expect(axisSpan([over, row(WAITING)], () => 0, 2000)).toBe(1024);
  expect(axisSpan([over, row(WAITING)], () => 0, 2020)).toBe(1024);
  expect(axisSpan([over, row(WAITING)], () => 10, 2020)).toBe(1152);
  expect(axisSpan([], () => 0, 0)).toBe(1);
});
