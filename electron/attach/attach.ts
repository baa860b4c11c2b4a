import { connectInspector } from '../../shared/client/connect-inspector.ts';
import { API_VERSION } from '../../shared/contract/api-version.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { Failure } from '../../shared/model/failure.ts';
import { failureOf, RoundtripError, roundtripError } from '../failures/errors.ts';
import { forget, listRunning, type Running } from './running-file.ts';
import { NoAnswer, socketTransport } from './socket-transport.ts';

/** A connection to a Roundtrip that runs in another process. */
export interface Attached {
  running: Running;
  api: InspectorApi;
  /** Resolves when either side has closed it. */
  closed: Promise<void>;
  close(): void;
}

/** Milliseconds. A web host on loopback answers at once; one that is stopped (SIGSTOP) never does. */
const PATIENCE = 10_000;

/**
 * Null for a stale file: nothing listens there, or not with this token. The file is then removed. Rejects with
 * `attach.other-version` or `attach.no-answer`; the file stays: a stopped or busy Roundtrip may continue.
 */
async function tryAttaching(dataFolder: string, running: Running, patience: number): Promise<Attached | null> {
  const { pid, version } = running;
  if (version !== API_VERSION)
    throw roundtripError('attach.other-version', { pid, theirs: version, ours: API_VERSION });
  try {
    const { transport, closed, close } = await socketTransport(running.url, running.token, patience);
    return { running, api: connectInspector(transport, () => undefined), closed, close };
  } catch (error) {
    if (error instanceof NoAnswer) throw roundtripError('attach.no-answer', { pid, seconds: patience / 1000 });
    forget(dataFolder, running);
    return null;
  }
}

/**
 * All that run with this data folder, latest start first. `onProblem` gets the failure of each that can't be attached
 * to. Rejects with the first of them if there is no other.
 */
export async function attachToAll(
  dataFolder: string,
  onProblem: (failure: Failure) => void,
  patience = PATIENCE,
): Promise<Attached[]> {
  const tries = await Promise.allSettled(
    listRunning(dataFolder).map((running) => tryAttaching(dataFolder, running, patience)),
  );
  const attached = tries.flatMap((one) => (one.status === 'fulfilled' && one.value !== null ? [one.value] : []));
  const problems = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (attached.length === 0 && problems.length > 0) throw problems[0];
  for (const problem of problems) onProblem(failureOf(problem));
  return attached;
}

/**
 * The one with this process id, or with null the one that was started last and answers; null if there is none. Rejects
 * with `attach.not-that-one`, `attach.other-version` or `attach.no-answer`.
 */
export async function attach(dataFolder: string, pid: number | null, patience = PATIENCE): Promise<Attached | null> {
  let silent: RoundtripError | null = null;
  for (const running of listRunning(dataFolder)) {
    if (pid !== null && running.pid !== pid) continue;
    try {
      const attached = await tryAttaching(dataFolder, running, patience);
      if (attached !== null) return attached;
    } catch (error) {
      if (!(error instanceof RoundtripError) || error.code !== 'attach.no-answer') throw error;
      silent ??= error;
    }
  }
  if (silent !== null) throw silent;
  if (pid !== null) throw roundtripError('attach.not-that-one', { pid });
  return null;
}
