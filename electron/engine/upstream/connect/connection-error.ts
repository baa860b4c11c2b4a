import type { Failure } from '../../../../shared/model/failure.ts';
import type { ProxyResponse } from '../../../../shared/model/proxy/upstream-route.ts';
import type { FailedOpening } from './failed-opening.ts';

/**
 * A failed attempt to connect. `retry`: another attempt may succeed, and nothing was sent (docs/architecture.md,
 * "Retries").
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly failure: Failure;
  readonly retry: boolean;
  /** The address that refused the connection, `host:port`; null for any other failure. */
  refusedAt: string | null = null;
  /** The attempts before the last one. */
  earlier: FailedOpening[] = [];
  /** The proxy's response if it refused the tunnel, or null. */
  response: ProxyResponse | null = null;
  /** When this last attempt began, by `performance.now()`. */
  startedAt = performance.now();

  constructor(of: Failure, retry: boolean) {
    super(of.message);
    this.failure = of;
    this.retry = retry;
  }
}
