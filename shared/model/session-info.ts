import * as v from 'valibot';

/** One recording, one file. */
export const SessionInfoSchema = v.object({
  /** Changes whenever the session does: when it is cleared, or another file is opened. */
  id: v.string(),
  /** Path of the session file. */
  path: v.string(),
  exchanges: v.number(),
  /** Of the file, its write-ahead log included. */
  bytes: v.number(),
  /** As its user named it in the session home; absent: the file's own name. */
  name: v.optional(v.string()),
  /** One sentence if the file could not be read completely. */
  notice: v.optional(v.string()),
});
export type SessionInfo = v.InferOutput<typeof SessionInfoSchema>;
