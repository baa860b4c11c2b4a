import { expect, it } from 'vitest';
import type { Failure } from '../../../../../shared/model/failure.ts';
import { summarizeReplays } from '../../../../../shared/model/replay/replay-summary.ts';

const BROKEN: Failure = { code: 'upstream.refused', side: 'upstream', message: 'refused', cause: null };

it('sums up statuses, failures and times, and leaves failed requests out of the times', () => {
  const whole = Array.from({ length: 20 }, (_, index) => ({
    ...{ status: index < 15 ? 200 : 503, ttfb: 20 - index, total: index + 1, failure: null },
  }));
  const cut = { status: 200, ttfb: 1000, total: 5000, failure: BROKEN };
  const lost = { status: 0, ttfb: -1, total: 0, failure: BROKEN };
  expect(summarizeReplays([...whole, cut, lost])).toEqual({
    ...{ sent: 22, failed: 2, statuses: { 200: 16, 503: 5 } },
    ttfb: { min: 1, median: 10, p95: 19 },
    total: { min: 1, median: 10, p95: 19 },
  });
});

it('has no times without a whole response', () => {
  expect(summarizeReplays([])).toEqual({ sent: 0, failed: 0, statuses: {}, ttfb: null, total: null });
});
