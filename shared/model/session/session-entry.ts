import * as v from 'valibot';

/** A session file of the session home. */
export const SessionEntrySchema = v.object({
  path: v.string(),
  /** As its user named it; the file's own name otherwise. */
  name: v.string(),
  note: v.string(),
  /** Of the file, its write-ahead log included. */
  bytes: v.number(),
  /** Null if the file can't be read, or not without a long time. */
  exchanges: v.nullable(v.number()),
  /** When the recording began, milliseconds since the Unix epoch; null as above. */
  startedAt: v.nullable(v.number()),
  /** `recovered`: a crash left it behind, and it is read to the last row that was written. */
  ended: v.picklist(['recording', 'closed', 'recovered']),
  /** Why not all of it can be read, as a sentence; null: all of it can. */
  problem: v.nullable(v.string()),
});
export type SessionEntry = v.InferOutput<typeof SessionEntrySchema>;

/** A session that is gone. */
export const RemovedSessionSchema = v.pick(SessionEntrySchema, ['path', 'name', 'bytes']);
export type RemovedSession = v.InferOutput<typeof RemovedSessionSchema>;
