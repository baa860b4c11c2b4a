import type { Exchange } from '../../../shared/model/exchange.ts';
import { summaryNow } from '../../../shared/model/exchange-summary.ts';
import { knownTotal } from '../../../shared/model/timings.ts';

const DURATIONS: Record<string, (exchange: Exchange) => number> = {
  blocked_ms: ({ timings }) => timings.blocked,
  dns_ms: ({ timings }) => timings.dns,
  connect_ms: ({ timings }) => timings.connect,
  ssl_ms: ({ timings }) => timings.ssl,
  send_ms: ({ timings }) => timings.send,
  wait_ms: ({ timings }) => timings.wait,
  receive_ms: ({ timings }) => timings.receive,
  total_ms: ({ timings }) => knownTotal(timings),
  overhead_ms: (exchange) => summaryNow(exchange).overhead,
};

/** The columns of an exchange's durations, milliseconds. `known`: the cell of a measure, below 0 if unknown. */
export function durationColumns(
  known: (measure: number) => number | null,
): Record<string, (exchange: Exchange) => number | null> {
  const columns = Object.entries(DURATIONS).map(([name, of]) => [name, (exchange: Exchange) => known(of(exchange))]);
  return Object.fromEntries(columns);
}
