import type { Settings } from '../../../shared/model/settings.ts';

/**
 * Decides when an exchange is retried (docs/architecture.md, "Retries"). Pure.
 *
 * A proxy must not repeat a request of a non-idempotent method once a byte of it was sent, because the server may have
 * acted on it (RFC 9110, section 9.2.2). REFUSED_STREAM and GOAWAY are exceptions: they state that the server did not.
 */

/** Milliseconds before each further attempt to connect: five attempts in all. */
const CONNECT_DELAYS = [0, 100, 200, 200];

/** How an attempt that may be retried ended. */
export type RetryCause =
  /** A reused connection closed before a byte of the request went out. */
  | 'connection-found-closed'
  /** A reused connection closed after a byte of the request went out, and before a byte of the response arrived. */
  | 'reused-connection-closed'
  /** The same for a connection that was opened for this request. */
  | 'fresh-connection-closed'
  /** RST_STREAM with REFUSED_STREAM, or a GOAWAY below the stream's id: not processed (RFC 9113, section 8.7). */
  | 'refused-stream'
  /** The upstream proxy requested authentication (407) and did not forward the request. */
  | 'proxy-challenge';

/** Why an HTTP/1 connection that ended before a response may allow another attempt. `hasWritten`: of this request. */
export function closedAs(reused: boolean, hasWritten: boolean): RetryCause {
  if (!reused) return 'fresh-connection-closed';
  return hasWritten ? 'reused-connection-closed' : 'connection-found-closed';
}

/** An attempt to connect that failed. */
export interface FailedConnect {
  /** Another attempt may succeed. */
  retryable: boolean;
  /** The other side refused the connection (ECONNREFUSED). */
  refused: boolean;
  /** Something listened at that address earlier in this session. */
  reachedBefore: boolean;
}

/**
 * Milliseconds until the next attempt to connect after `failed` attempts; null ends them. A refusal is final, as it is
 * without a proxy, unless a server listened there earlier: then it is probably restarting.
 */
export function connectDelay(
  failed: number,
  { retryable, refused, reachedBefore }: FailedConnect,
  { retry, retryRefused }: Pick<Settings, 'retry' | 'retryRefused'>,
): number | null {
  if (!retry || !retryable || (refused && !reachedBefore && !retryRefused)) return null;
  return CONNECT_DELAYS[failed - 1] ?? null;
}

/** How many attempts of a request ended in each way. */
export interface SendCounts {
  foundClosed: number;
  closed: number;
  refused: number;
  challenged: number;
}

export class SendHistory implements SendCounts {
  foundClosed = 0;
  closed = 0;
  refused = 0;
  challenged = 0;

  /** Counts an attempt that ended with `cause`. */
  count(cause: RetryCause): void {
    if (cause === 'refused-stream') this.refused += 1;
    else if (cause === 'proxy-challenge') this.challenged += 1;
    else if (cause === 'connection-found-closed') this.foundClosed += 1;
    else this.closed += 1;
  }
}

/** Enough to learn the scheme, exchange NTLM's two messages and renew a nonce. */
const MOST_CHALLENGES = 4;
const MOST_REFUSALS = 2;

export type SendRetry = 'no' | 'any-connection' | 'fresh-connection';

/** Methods that can be sent twice with the same effect as once (RFC 9110, section 9.2.2). Excludes unknown methods. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

export interface Resendable {
  method: string;
  /** Whether the whole body so far was kept for sending it again. */
  kept: boolean;
}

/** Whether a request may be sent again after the server may have acted on it. */
export function isRepeatable({ method, kept }: Resendable, { retry }: Pick<Settings, 'retry'>): boolean {
  return retry && kept && IDEMPOTENT.has(method);
}

/**
 * Whether a request is sent again after an attempt that ended with `cause`, and on which connection. `before`: counts
 * of its earlier attempts.
 */
export function sendRetry(
  cause: RetryCause,
  before: SendCounts,
  request: Resendable,
  settings: Pick<Settings, 'retry' | 'retryIdempotent'>,
): SendRetry {
  // Authentication is part of the proxy's protocol, not a retry: it also happens while retries are off.
  if (cause === 'proxy-challenge') return request.kept && before.challenged < MOST_CHALLENGES ? 'any-connection' : 'no';
  if (!settings.retry || !request.kept) return 'no';
  if (cause === 'refused-stream') return before.refused < MOST_REFUSALS ? 'any-connection' : 'no';
  if (cause === 'connection-found-closed') return afterFoundClosed(before.foundClosed);
  if (before.closed > 0 || !isRepeatable(request, settings)) return 'no';
  if (cause === 'fresh-connection-closed' && !settings.retryIdempotent) return 'no';
  return 'fresh-connection';
}

function afterFoundClosed(before: number): SendRetry {
  if (before === 0) return 'any-connection';
  return before === 1 ? 'fresh-connection' : 'no';
}
