import * as v from 'valibot';

/** A session file of the session home. */
export const SessionEntrySchema = v.object({
  path: v.string(),
  /** As its user named it; the file's own name otherwise. */
  name: v.string(),
  note: v.string(),
  /** Of the file, its write-ahead log included. */
  bytes: v.number(),
  /** Null if the file can't be read, or not quickly. */
  exchanges: v.nullable(v.number()),
  /** When the recording began, milliseconds since the Unix epoch; null as above. */
  startedAt: v.nullable(v.number()),
  /** `recovered`: left behind by a crash, and readable to the last written row. */
  ended: v.picklist(['recording', 'closed', 'recovered']),
  /** Why it can't be read completely, as a sentence; null: it can. */
  problem: v.nullable(v.string()),
});
export type SessionEntry = v.InferOutput<typeof SessionEntrySchema>;

/** A deleted session. */
export const RemovedSessionSchema = v.pick(SessionEntrySchema, ['path', 'name', 'bytes']);
export type RemovedSession = v.InferOutput<typeof RemovedSessionSchema>;
