import type { Failure } from '../../../../shared/model/failure.ts';
import { describe, failure, systemCode } from '../../../failures/errors.ts';
import { addressOf, type Origin, placeOf } from '../origin.ts';
import { ConnectionError } from './connection-error.ts';

/** The retryable codes of Cypress 3.3 (field notes), which follow Chrome's. */
const RETRIED = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']);

/** When several addresses fail (RFC 8305), Node wraps the errors; the first one is the most useful to report. */
function firstReason(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

function proxyFailure(address: string, host: string, code: string | null, error: unknown): Failure {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return failure('proxy.host-not-found', { host }, code);
  if (code === 'ECONNREFUSED') return failure('proxy.refused', { address }, code);
  return failure('proxy.connect-failed', { address, detail: describe(error) }, code);
}

function originFailure(address: string, host: string, code: string | null, error: unknown): Failure {
  switch (code) {
    case 'ENOTFOUND':
      return failure('upstream.host-not-found', { host }, code);
    case 'EAI_AGAIN':
      return failure('upstream.dns-failed', { host }, code);
    case 'ECONNREFUSED':
      return failure('upstream.refused', { address }, code);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return failure('upstream.unreachable', { address }, code);
    case 'ECONNRESET':
    case 'EPIPE':
      return failure('upstream.reset', { address }, code);
    default:
      return failure('upstream.connect-failed', { address, detail: describe(error) }, code);
  }
}

/** The error for a TCP connection to the origin, or to its upstream proxy, that could not be opened. */
export function connectError(error: unknown, origin: Origin): ConnectionError {
  const reason = firstReason(error);
  const code = systemCode(reason);
  const { proxy } = origin;
  const about = proxy
    ? proxyFailure(addressOf(proxy), proxy.host, code, reason)
    : originFailure(addressOf(origin), origin.host, code, reason);
  const failed = new ConnectionError(about, code !== null && RETRIED.has(code));
  if (code === 'ECONNREFUSED') failed.refusedAt = addressOf(proxy ?? placeOf(origin));
  return failed;
}
