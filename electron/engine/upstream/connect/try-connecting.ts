import { ConnectionError } from './connection-error.ts';
import type { FailedOpening } from './failed-opening.ts';

/** Somebody who waits for a connection. */
export interface Acquiring {
  /** True once nobody waits for it any more. */
  readonly cancelled: boolean;
}

/** Milliseconds until the next attempt after `failed` attempts, the last of which ended with `error`; null ends them. */
export type ConnectSchedule = (failed: number, error: ConnectionError) => number | null;

/**
 * Tries to connect, again as `schedule` allows (docs/architecture.md, "Retries"). `attempt` gets the number of failed
 * attempts before it. Rejects with the ConnectionError of the last one, which lists the earlier ones.
 */
export async function tryConnecting<T>(
  attempt: (failed: number) => Promise<T>,
  acquiring: Acquiring,
  schedule: ConnectSchedule,
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
      const delay = schedule(failed.length + 1, error);
      if (delay === null || acquiring.cancelled) throw error;
      failed.push({ startedAt, endedAt: performance.now(), failure: error.failure });
      await new Promise((resume) => setTimeout(resume, delay));
      if (acquiring.cancelled) throw error;
    }
  }
}
