import type { FeedBatch } from '../../shared/contract/events.ts';
import type { WithinSession } from '../../shared/contract/requests.ts';
import type { Sighting } from '../../shared/model/capture-check.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { HeldSummary } from '../../shared/model/rule/held-message.ts';
import type { Rule } from '../../shared/model/rule/rule.ts';
import type { ConsoleLine } from '../../shared/model/rule/script.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { SearchProgress } from '../session/search/search-session.ts';
import type { EngineStart } from './engine-calls.ts';

export interface RuntimeOptions {
  /** The folder of the threads' bundles. */
  threadFolder: string;
  /** Created if missing; otherwise appended to. */
  sessionPath: string;
  engine: Omit<EngineStart, 'proxyFacts' | 'rules'>;
  listener: RuntimeListener;
}

/** Receives the engine's notices in a host. */
export interface RuntimeListener {
  onFeed(batch: FeedBatch): void;
  onStatus(status: EngineStatus): void;
  /** Another session is being recorded. */
  onSession(session: SessionInfo): void;
  /** A session was opened or closed. `sessions`: all open ones, the recorded one first. */
  onSessions(sessions: SessionInfo[]): void;
  /** A client's capture check was seen. */
  onSighting(sighting: Sighting): void;
  /** All messages that breakpoints hold, when they have changed. */
  onBreaks(messages: HeldSummary[]): void;
  /** A script of a rule wrote a line, or failed. */
  onConsole(line: Omit<ConsoleLine, 'id'>): void;
  /** A failure to show to the user. */
  onFailure(failure: Failure): void;
}

export interface PreviewTask {
  choice: WithinSession<'export.preview'>;
  signal: AbortSignal;
}

export interface ExportTask {
  path: string;
  selection: WithinSession<'session.export'>;
  /** Called with the number of exchanges written so far and in total. */
  onProgress: (written: number, total: number) => void;
  /** Cancels the export; it then rejects, and the file is removed. */
  signal: AbortSignal;
}

export interface TrialJob {
  /** Its paths are absolute. */
  rule: Rule;
  /** Whether secrets are removed before the rule sees an exchange. */
  redact: boolean;
  signal: AbortSignal;
}

export interface SearchJob {
  /** A query of shared/filter; it may look into content. */
  query: string;
  onProgress: (progress: SearchProgress) => void;
  signal: AbortSignal;
}
