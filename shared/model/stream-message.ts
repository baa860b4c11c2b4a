import * as v from 'valibot';

const StreamMessageKindSchema = v.picklist(['text', 'binary', 'ping', 'pong', 'close', 'event', 'other']);

/** A WebSocket message or a server-sent event of an exchange, as a row of a list. */
export const StreamMessageSchema = v.object({
  /** From 0, in the order in which their last bytes passed. */
  ordinal: v.number(),
  direction: v.picklist(['sent', 'received']),
  /** Milliseconds since the Unix epoch, with microseconds as decimals. */
  at: v.number(),
  kind: StreamMessageKindSchema,
  /** RFC 6455, section 5.2; -1 for an event. */
  opcode: v.number(),
  /** Payload bytes: on the wire, and decompressed; -1 where that failed. */
  wireSize: v.number(),
  size: v.number(),
  compressed: v.boolean(),
  closeCode: v.nullable(v.number()),
  /** How the payload begins; hex for binary. */
  preview: v.string(),
  /** Why the payload can't be read, one sentence, or null. */
  problem: v.nullable(v.string()),
});
export type StreamMessage = v.InferOutput<typeof StreamMessageSchema>;
