import { connectInspector } from '../../shared/client/connect-inspector.ts';
import { API_VERSION } from '../../shared/contract/api-version.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { roundtripError } from '../failures/errors.ts';
import { forget, listRunning, type Running } from './running-file.ts';
import { socketTransport } from './socket-transport.ts';

/** A connection to a Roundtrip that runs in another process. */
export interface Attached {
  running: Running;
  api: InspectorApi;
  /** Resolves when either side has closed it. */
  closed: Promise<void>;
  close(): void;
}

/** Null for a stale file: nothing responds there, or it rejects this token. The file is then removed. */
async function tryAttaching(dataFolder: string, running: Running): Promise<Attached | null> {
  const { pid, version } = running;
  if (version !== API_VERSION)
    throw roundtripError('attach.other-version', { pid, theirs: version, ours: API_VERSION });
  const socket = await socketTransport(running.url, running.token).catch(() => null);
  if (socket === null) {
    forget(dataFolder, running);
    return null;
  }
  const { transport, closed, close } = socket;
  return { running, api: connectInspector(transport, () => undefined), closed, close };
}

/** All that run with this data folder, latest start first. Rejects with `attach.other-version`. */
export async function attachToAll(dataFolder: string): Promise<Attached[]> {
  const attached = await Promise.all(listRunning(dataFolder).map((running) => tryAttaching(dataFolder, running)));
  return attached.filter((one) => one !== null);
}

/**
 * The one with this process id, or with null the one that was started last; null if there is none. Rejects with
 * `attach.not-that-one` or `attach.other-version`.
 */
export async function attach(dataFolder: string, pid: number | null): Promise<Attached | null> {
  for (const running of listRunning(dataFolder)) {
    if (pid !== null && running.pid !== pid) continue;
    const attached = await tryAttaching(dataFolder, running);
    if (attached !== null) return attached;
  }
  if (pid !== null) throw roundtripError('attach.not-that-one', { pid });
  return null;
}
