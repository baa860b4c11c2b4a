import { ConnectionError } from './connection-failure.ts';
import { connectDelay } from './retry-policy.ts';
import type { FailedOpening } from './upstream-stream.ts';

/** Somebody who waits for a connection. */
export interface Acquiring {
  /** True once nobody waits for it any more. */
  readonly cancelled: boolean;
}

/**
 * Tries at connecting, again where nothing was sent and as the policy has it (design, "Retry" a). `attempt` is told how many
 * failed before. Rejects with the last one's ConnectionError, which holds the earlier ones too.
 */
export async function tryConnecting<T>(
  attempt: (failed: number) => Promise<T>,
  acquiring: Acquiring,
  enabled: () => boolean,
): Promise<{ opened: T; failed: FailedOpening[] }> {
  const failed: FailedOpening[] = [];
  for (;;) {
    const startedAt = performance.now();
    try {
      return { opened: await attempt(failed.length), failed };
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      error.earlier = failed;
      error.startedAt = startedAt;
      const delay = connectDelay(failed.length + 1, error.retry, enabled());
      if (delay === null || acquiring.cancelled) throw error;
      failed.push({ startedAt, endedAt: performance.now(), failure: error.failure });
      await new Promise((resume) => setTimeout(resume, delay));
      if (acquiring.cancelled) throw error;
    }
  }
}
