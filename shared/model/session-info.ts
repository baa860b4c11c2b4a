import * as v from 'valibot';

/** One recording, one file. */
export const SessionInfoSchema = v.object({
  /** Changes whenever the session is another one: cleared, or another file opened. */
  id: v.string(),
  /** Where the session file is. */
  path: v.string(),
  exchanges: v.number(),
  /** Of the file, its write-ahead log included. */
  bytes: v.number(),
});
export type SessionInfo = v.InferOutput<typeof SessionInfoSchema>;
