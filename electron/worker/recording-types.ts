import type { FeedBatch } from '../../shared/contract/events.ts';
import type { WithinSession } from '../../shared/contract/requests.ts';
import type { Sighting } from '../../shared/model/capture-check.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { EngineStart } from './engine-calls.ts';

export interface RuntimeOptions {
  /** Where the threads' bundles are. */
  threadFolder: string;
  /** Made where there is none; appended to where there is. */
  sessionPath: string;
  engine: Omit<EngineStart, 'proxyFacts'>;
  listener: RuntimeListener;
}

/** What a host hears of its engine. */
export interface RuntimeListener {
  onFeed(batch: FeedBatch): void;
  onStatus(status: EngineStatus): void;
  /** Another session is being recorded. */
  onSession(session: SessionInfo): void;
  /** A session was opened or closed: all of them, the recorded one first. */
  onSessions(sessions: SessionInfo[]): void;
  /** A client's capture check was seen. */
  onSighting(sighting: Sighting): void;
  /** Something went wrong that is worth a line of its own. */
  onFailure(failure: Failure): void;
}

export interface HarJob {
  path: string;
  selection: WithinSession<'har.export'>;
  onProgress: (written: number, total: number) => void;
  signal: AbortSignal;
}
