import type { Failure } from '../../../../shared/model/failure.ts';
import type { ProxyAnswer } from '../../../../shared/model/proxy/upstream-route.ts';
import type { FailedOpening } from './failed-opening.ts';

/** An attempt to connect that failed. `retry`: another attempt may succeed, and nothing was sent (docs/architecture.md, "Retries"). */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly failure: Failure;
  readonly retry: boolean;
  /** Where the connection was refused, `host:port`; null for any other failure. */
  refusedAt: string | null = null;
  /** The attempts before this last one. */
  earlier: FailedOpening[] = [];
  /** What a proxy answered in place of a tunnel, or null. */
  answer: ProxyAnswer | null = null;
  /** When this last attempt began, by `performance.now()`. */
  startedAt = performance.now();

  constructor(of: Failure, retry: boolean) {
    super(of.message);
    this.failure = of;
    this.retry = retry;
  }
}
