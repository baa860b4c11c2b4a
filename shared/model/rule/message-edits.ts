import * as v from 'valibot';

/** Changed messages of one exchange that are kept in both versions: a stream may have any number of them. */
export const MOST_EDITS = 100;
/** Bytes that are kept of one version. */
export const EDIT_SIZE = 8 * 1024;
/** Bytes that are kept of all versions of one exchange. */
export const EDITS_SIZE = 128 * 1024;

/** A message of a stream that rules changed, as it arrived and as it was sent. */
export const MessageEditSchema = v.object({
  direction: v.picklist(['to-server', 'to-client']),
  /** Milliseconds since the Unix epoch. */
  at: v.number(),
  /** Payloads, base64, decoded. `after`: null if the message was dropped. */
  before: v.string(),
  after: v.nullable(v.string()),
  /** Only the first EDIT_SIZE bytes of a version are here. */
  cut: v.boolean(),
});
export type MessageEdit = v.InferOutput<typeof MessageEditSchema>;

export const MessageEditsSchema = v.object({
  /** The first ones, in order. */
  kept: v.array(MessageEditSchema),
  /** How many messages rules changed. */
  total: v.number(),
});
export type MessageEdits = v.InferOutput<typeof MessageEditsSchema>;
