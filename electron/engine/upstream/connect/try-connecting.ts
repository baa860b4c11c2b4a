import type { ConnectionUser } from '../connection-user.ts';
import { ConnectionError } from './connection-error.ts';
import type { FailedOpening } from './failed-opening.ts';

/** A caller that waits for a connection. */
export interface Acquiring {
  /** True once the caller no longer waits. */
  readonly cancelled: boolean;
  /** The client's connection, if it is known to carry HTTP. */
  readonly user?: ConnectionUser;
}

/** Milliseconds until the next attempt after `failed` attempts, given the error of the last one; null to stop. */
export type ConnectSchedule = (failed: number, error: ConnectionError) => number | null;

/**
 * Connects, with retries as `schedule` allows (docs/architecture.md, "Retries"). `attempt` receives the number of
 * failed attempts before it. Rejects with the ConnectionError of the last attempt, which lists the earlier ones.
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
