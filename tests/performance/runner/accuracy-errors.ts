import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { Round } from './scenario.ts';
import { quantile } from './statistics.ts';

/** What the ends of one exchange noted, nanoseconds by the kernel's stamps. */
export interface Noted {
  client: { sent: number; first: number; last: number };
  origin: { first: number; last: number; answered: number };
}

type Timed = Pick<ExchangeSummary, 'timings' | 'overhead' | 'total'>;

/**
 * By phase: the row's value minus the actual one, microseconds. The ends see what we see, less the way over loopback.
 */
export function errorsOf({ timings, overhead, total }: Timed, { client, origin }: Noted): Record<Measure, number> {
  const out = origin.first - client.sent;
  const back = client.first - origin.answered;
  const off = (said: number, nanoseconds: number) => said * 1000 - nanoseconds / 1000;
  return {
    wait: off(timings.wait, origin.answered - origin.last),
    blocked: off(timings.blocked, out),
    send: off(timings.send, origin.last - origin.first),
    receive: off(timings.receive, client.last - origin.answered),
    overhead: off(overhead, out + back),
    total: off(total, client.last - client.sent),
  };
}

export const MEASURES = ['wait', 'blocked', 'send', 'receive', 'overhead', 'total'] as const;
export type Measure = (typeof MEASURES)[number];

/**
 * The absolute error of each at p50 and p99; and `waitOver`, by how much the wait is too long at p99: our time counted
 * as the server's.
 */
export function roundOf(errors: readonly Record<Measure, number>[]): Round {
  const round: Record<string, number> = {};
  for (const measure of MEASURES) {
    const sizes = errors.map((each) => Math.abs(each[measure]));
    round[`${measure}P50`] = quantile(sizes, 0.5);
    round[`${measure}P99`] = quantile(sizes, 0.99);
  }
  const over = errors.map(({ wait }) => Math.max(wait, 0));
  round.waitOver = quantile(over, 0.99);
  return round;
}
