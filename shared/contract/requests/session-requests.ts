import * as v from 'valibot';
import { ComparisonSchema, IgnoredSchema } from '../../model/compare/comparison.ts';
import { SessionEditSchema, SessionEditsSchema } from '../../model/edits/session-edits.ts';
import { SessionInfoSchema } from '../../model/session-info.ts';
import { Nothing, Session } from './request-parts.ts';

/** The most entries of each list of a comparison. */
export const COMPARISON_LIMIT = 5000;

/** Requests about the sessions that are open. */
export const SESSION_REQUESTS = {
  /** The session that is being recorded first, then those that were opened, in that order. */
  'sessions.list': { input: Nothing, output: v.object({ sessions: v.array(SessionInfoSchema) }) },
  /** Opens a session file read-only, next to the one that is being recorded. `path`: on the host's machine. */
  'sessions.open': { input: v.strictObject({ path: v.pipe(v.string(), v.minLength(1)) }), output: SessionInfoSchema },
  /** Not the one that is being recorded. */
  'sessions.close': { input: v.strictObject({ session: Session }), output: Nothing },
  /**
   * Compares `session` with `other`, the later one; lists have at most COMPARISON_LIMIT entries. Rejects with
   * `compare.bad-filter`.
   */
  'sessions.compare': {
    input: v.strictObject({ session: Session, other: Session, ignored: IgnoredSchema }),
    output: ComparisonSchema,
  },
  'session.edits': { input: v.strictObject({ session: Session }), output: SessionEditsSchema },
  /** Hides, restores or marks rows; windows receive `session.edited`. Rejects with `session.edit-failed`. */
  'session.edit': { input: v.strictObject({ session: Session, edit: SessionEditSchema }), output: Nothing },
  /** Empties the session that is being recorded. It then has a new id. */
  'session.clear': { input: v.strictObject({ session: Session }), output: SessionInfoSchema },
} as const;
