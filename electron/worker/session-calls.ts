import type { MessagePort } from 'node:worker_threads';
import type { BodyRange, RowPage } from '../../shared/contract/requests/exchange-requests.ts';
import type { InputOf, OutputOf, WithinSession } from '../../shared/contract/requests.ts';
import type { BodySide } from '../../shared/model/body-side.ts';
import type { Comparison, Ignored } from '../../shared/model/compare/comparison.ts';
import type { SessionEdit, SessionEdits } from '../../shared/model/edits/session-edits.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { Rule } from '../../shared/model/rule/rule.ts';
import type { Trial } from '../../shared/model/rule/trial.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { SavedBody } from '../session/read/save-body.ts';
import type { SearchProgress } from '../session/search/search-session.ts';

/** `session`: the id of the session that the file must hold, or null for any; others reject with `session.not-open`. */
type Of<Input> = Omit<Input, 'session'> & { session: string | null };

/** `workerData` of the thread that reads a session file. */
export interface SessionReaderData {
  /** The folder of the threads' bundles. */
  threadFolder: string;
}

/** A session with what users did to its rows, and the newest of them. */
export interface Opening {
  session: SessionInfo;
  edits: SessionEdits;
  newest: RowPage;
}

/** Calls to the thread that reads a session file. */
export type SessionCalls = {
  /** Closes the file read so far, if any. Rejects with `session.open-failed`. */
  open: { input: { path: string }; output: null };
  info: { input: Of<object>; output: SessionInfo };
  /** What a window draws first: one call instead of three. */
  opening: { input: Of<{ rows: number }>; output: Opening };
  page: { input: Of<InputOf<'exchanges.page'>>; output: OutputOf<'exchanges.page'> };
  rows: { input: Of<InputOf<'exchanges.rows'>>; output: RowPage };
  newest: { input: Of<InputOf<'exchanges.newest'>>; output: OutputOf<'exchanges.newest'> };
  get: { input: Of<{ id: number }>; output: Exchange };
  body: { input: Of<InputOf<'body.read'>>; output: BodyRange };
  saveBody: { input: Of<{ save: WithinSession<'body.save'>; path: string }>; output: SavedBody };
  /** Serves the body over `port`, one piece per message there (`servePieces`). */
  sendBody: { input: Of<{ id: number; side: BodySide; port: MessagePort }>; output: null };
  messages: { input: Of<InputOf<'messages.page'>>; output: OutputOf<'messages.page'> };
  message: { input: Of<InputOf<'messages.read'>>; output: OutputOf<'messages.read'> };
  /**
   * With the session in the file `other`, which must hold `otherSession`; null: any. Rejects as `compareFiles` does.
   */
  compare: { input: Of<ComparisonJob>; output: Comparison };
  /** What is slow or wasteful in the session so far. The thread keeps what it has read for the next call. */
  findings: { input: Of<object>; output: OutputOf<'insight.findings'> };
  connectionEnds: { input: Of<{ after: number }>; output: OutputOf<'connections.ends'> };
  pages: { input: Of<object>; output: OutputOf<'insight.pages'> };
  /** `job`: names the export in its progress, and when it is cancelled. `note`: what the file lacks, or null. */
  export: { input: Of<ExportCall>; output: { exchanges: number; bytes: number; note: string | null } };
  /** `job` as above. */
  preview: {
    input: Of<{ job: number; choice: WithinSession<'export.preview'> }>;
    output: Omit<OutputOf<'export.preview'>, 'stopped'>;
  };
  /** Recording has begun: a file that was opened before as unchanging is opened again. */
  follow: { input: null; output: null };
  /** What users did to the rows. */
  edits: { input: Of<object>; output: SessionEdits };
  /** Rejects with `session.edit-failed`. */
  edit: { input: Of<{ edit: SessionEdit }>; output: null };
  /** `job` as above. Rejects as `searchSession` does. */
  search: { input: Of<{ job: number; query: string }>; output: null };
  /** `job` as above. Rejects as `tryRule` of the session does. */
  tryRule: { input: Of<{ job: number; rule: Rule; redact: boolean }>; output: Trial };
  /** Ends an export, a preview, a search or a trial; its call then rejects. */
  cancel: { input: { job: number }; output: null };
  /** Closes the file; the thread then ends. */
  close: { input: null; output: null };
};

export interface ExportCall {
  job: number;
  path: string;
  selection: WithinSession<'session.export'>;
}

export interface ComparisonJob {
  /** Path of the file to compare with, and the id of the session that it must hold; null: any. */
  other: string;
  otherSession: string | null;
  ignored: Ignored;
  /** The most entries of each list. */
  limit: number;
}

export type SessionNotice =
  | { kind: 'export-progress'; job: number; written: number; total: number }
  | { kind: 'search-progress'; job: number; progress: SearchProgress };
