import * as v from 'valibot';
import { PruneLimitsSchema } from '../../model/session/prune-limits.ts';
import { RemovedSessionSchema, SessionEntrySchema } from '../../model/session/session-entry.ts';
import { SessionInfoSchema } from '../../model/session-info.ts';
import { Nothing } from './request-parts.ts';

/** A path on the host's machine. */
const SessionFile = v.strictObject({ path: v.pipe(v.string(), v.minLength(1), v.maxLength(4096)) });
const ShortText = v.pipe(v.string(), v.maxLength(1000));
const RecentSessions = v.object({ sessions: v.array(SessionEntrySchema) });

/** Requests about session files: opening and importing them, and the session home. */
export const SESSION_HOME_REQUESTS = {
  /**
   * Opens a session file, or imports another program's file into a new session and opens that. `faults`: a line for
   * each part that could not be imported, at most 200; `faultCount`: all of them.
   */
  'sessions.import': {
    input: SessionFile,
    output: v.object({ session: SessionInfoSchema, faults: v.array(v.string()), faultCount: v.number() }),
  },
  'import.cancel': { input: Nothing, output: Nothing },
  /** The session files in the data folder, the newest first. */
  'sessions.recent': { input: Nothing, output: RecentSessions },
  /** Names and annotates a session of the data folder, without changing its file. */
  'sessions.describe': {
    input: v.strictObject({ ...SessionFile.entries, name: ShortText, note: ShortText }),
    output: RecentSessions,
  },
  'sessions.duplicate': { input: SessionFile, output: RecentSessions },
  /**
   * Which sessions of the data folder exceed these limits, the oldest first: not changed for so many days, or, of all
   * together, more than so many bytes. Deletes none, and lists no open one. `sessions.remove` deletes one. `inUse`:
   * those that stay, because another window or command has them open.
   */
  'sessions.prunable': {
    input: PruneLimitsSchema,
    output: v.object({ paths: v.array(v.string()), inUse: v.array(v.string()) }),
  },
  /** What the host deleted at startup because of the setting `pruning`. */
  'sessions.pruned': { input: Nothing, output: v.object({ sessions: v.array(RemovedSessionSchema) }) },
  /** Shows the file in the file manager of the host's machine. Rejects with `session.file-failed` without a desktop. */
  'sessions.reveal': { input: SessionFile, output: Nothing },
  /** Deletes the file. */
  'sessions.remove': { input: SessionFile, output: RecentSessions },
  /** Ends the current recording, and continues recording into this file. */
  'sessions.record': { input: SessionFile, output: SessionInfoSchema },
} as const;
