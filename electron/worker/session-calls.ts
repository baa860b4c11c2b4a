import type { BodyRange, InputOf, OutputOf } from '../../shared/contract/requests.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { SavedBody } from '../session/read/save-body.ts';

/** Calls to the thread that reads the session file. */
export type SessionCalls = {
  /** Closes the file read so far, if any. Rejects with `session.open-failed`. */
  open: { input: { path: string }; output: null };
  info: { input: null; output: SessionInfo };
  page: { input: InputOf<'exchanges.page'>; output: OutputOf<'exchanges.page'> };
  get: { input: { id: number }; output: Exchange };
  body: { input: InputOf<'body.read'>; output: BodyRange };
  saveBody: { input: { save: InputOf<'body.save'>; path: string }; output: SavedBody };
  messages: { input: InputOf<'messages.page'>; output: OutputOf<'messages.page'> };
  message: { input: InputOf<'messages.read'>; output: OutputOf<'messages.read'> };
  /** `job`: names the export in its progress, and when it is cancelled. */
  har: { input: HarExportJob; output: { exchanges: number; bytes: number } };
  /** Ends an export; its call then rejects. */
  cancelHar: { input: { job: number }; output: null };
  /** Closes the file; the thread then ends by itself. */
  close: { input: null; output: null };
};

export interface HarExportJob {
  job: number;
  path: string;
  selection: InputOf<'har.export'>;
}

export type SessionNotice = { kind: 'har-progress'; job: number; written: number; total: number };
