import type { Settings } from '../../../shared/model/settings.ts';

/**
 * When an exchange is tried again (design, "Retry"; field notes, "Chrome's and Cypress's retry rules"). Pure.
 * What is sent twice may be done twice, so beyond connecting only what upstream can't have worked on is sent again.
 */

/** Milliseconds before the next try at connecting: five in all. */
const CONNECT_DELAYS = [0, 100, 200, 200];

/** Why a try that had begun to send ended, where that allows another. */
export type RetryCause =
  /** A reused connection ended before any byte of the response: upstream had closed it before the request came. */
  | 'reused-connection-closed'
  /** A connection that was opened for the request ended before any byte of the response. Upstream may have done what it asks for. */
  | 'fresh-connection-closed'
  /** RST_STREAM with REFUSED_STREAM, or a GOAWAY below the stream's id: not processed (RFC 9113, section 8.7). */
  | 'refused-stream'
  /** The upstream proxy asked who it is (407): the request did not leave it. */
  | 'proxy-challenge';

/** The delay before connecting again after `failed` tries, milliseconds; null: give up. */
export function connectDelay(failed: number, retryable: boolean, enabled: boolean): number | null {
  if (!enabled || !retryable) return null;
  return CONNECT_DELAYS[failed - 1] ?? null;
}

/** How often a request's tries ended in each way. */
export interface SendCounts {
  reusedClosed: number;
  freshClosed: number;
  refused: number;
  challenged: number;
}

export class SendHistory implements SendCounts {
  reusedClosed = 0;
  freshClosed = 0;
  refused = 0;
  challenged = 0;

  /** A try has ended so. */
  count(cause: RetryCause): void {
    if (cause === 'refused-stream') this.refused += 1;
    else if (cause === 'proxy-challenge') this.challenged += 1;
    else if (cause === 'fresh-connection-closed') this.freshClosed += 1;
    else this.reusedClosed += 1;
  }
}

/** A scheme found out, NTLM's two messages, a nonce renewed. */
const MOST_CHALLENGES = 4;

export type SendRetry = 'no' | 'any-connection' | 'fresh-connection';

/** RFC 9110, section 9.2.2: to ask twice is meant to do no more than to ask once. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

export interface Resendable {
  method: string;
  /** Whether all that came of its body is kept. */
  kept: boolean;
}

/** Whether a request whose try ended with `cause` is sent again, and over what. `before`: the tries that ended so earlier. */
export function sendRetry(
  cause: RetryCause,
  before: SendCounts,
  { method, kept }: Resendable,
  { retry, retryIdempotent }: Pick<Settings, 'retry' | 'retryIdempotent'>,
): SendRetry {
  // Part of the proxy's protocol, not a second chance: it is taken with retries off too.
  if (cause === 'proxy-challenge') return kept && before.challenged < MOST_CHALLENGES ? 'any-connection' : 'no';
  if (!retry || !kept) return 'no';
  if (cause === 'refused-stream') return before.refused < 2 ? 'any-connection' : 'no';
  if (cause === 'fresh-connection-closed') {
    return retryIdempotent && IDEMPOTENT.has(method) && before.freshClosed === 0 ? 'fresh-connection' : 'no';
  }
  if (before.reusedClosed === 0) return 'any-connection';
  return before.reusedClosed === 1 ? 'fresh-connection' : 'no';
}
