import { formatDuration } from '../../../shared/format/durations.ts';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';

/** One line for people: `12:03:04.123  200  GET  https://host/path  1.2 KB  45.0 ms`. */
export function exchangeLine(exchange: ExchangeSummary): string {
  const { startedAt, status, failureCode, state, method, responseSize, total } = exchange;
  const time = new Date(startedAt).toISOString().slice(11, 23);
  const outcome = failureCode ?? (status === 0 ? state : String(status));
  return [time, outcome, method, addressOf(exchange), formatBytes(responseSize), formatDuration(total)].join('  ');
}

/** A CONNECT's path is its authority. */
function addressOf({ kind, scheme, authority, path }: ExchangeSummary): string {
  return kind === 'tunnel' || kind === 'connection' ? authority : `${scheme}://${authority}${path}`;
}
