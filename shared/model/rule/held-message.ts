import * as v from 'valibot';
import { FieldList, FieldName, FinalStatus } from './actions.ts';

/** The largest body that can be edited manually, bytes, decoded. A larger one continues unchanged. */
export const HELD_BODY_LIMIT = 1024 * 1024;

/** A message that a rule holds, as the queue lists it. */
export const HeldSummarySchema = v.object({
  /** Increments from 1 in each life of the engine. */
  id: v.number(),
  /** Id of the exchange in the session that is being recorded; 0 while nothing is recorded. */
  exchange: v.number(),
  /** The name of the rule that holds it. */
  rule: v.string(),
  side: v.picklist(['request', 'response', 'message']),
  /** The direction of a message of a stream; null for a request or a response. */
  direction: v.nullable(v.picklist(['to-server', 'to-client'])),
  method: v.string(),
  url: v.string(),
  /** Null unless it is a response. */
  status: v.nullable(v.number()),
  /** Milliseconds since the Unix epoch. */
  heldAt: v.number(),
  /** When it is released automatically, milliseconds since the Unix epoch; null: it waits. */
  continuesAt: v.nullable(v.number()),
  /** The client closed its connection or its stream meanwhile. */
  clientLeft: v.boolean(),
});
export type HeldSummary = v.InferOutput<typeof HeldSummarySchema>;

export const HeldMessageSchema = v.object({
  ...HeldSummarySchema.entries,
  httpVersion: v.string(),
  /** Without HTTP/2's pseudo-header fields: method, URL and status stand for them. */
  headers: v.array(v.tuple([v.string(), v.string()])),
  /** Base64, content codings undone. Null: it can't be edited, and passes unchanged. */
  body: v.nullable(v.string()),
  /** Why the body can't be edited, as part of a sentence; null: it can. */
  bodyProblem: v.nullable(v.string()),
});
export type HeldMessage = v.InferOutput<typeof HeldMessageSchema>;

/** `kept`: the body as it came. `written`: the one that was written with `breaks.write`. */
const BodyChoice = v.picklist(['kept', 'written']);

const EditedRequest = v.strictObject({
  how: v.literal('request'),
  method: FieldName,
  url: v.pipe(v.string(), v.minLength(1), v.maxLength(64 * 1024)),
  headers: FieldList,
  body: BodyChoice,
});
export type EditedRequest = v.InferOutput<typeof EditedRequest>;

const EditedResponse = v.strictObject({
  how: v.literal('response'),
  status: FinalStatus,
  headers: FieldList,
  body: BodyChoice,
});
export type EditedResponse = v.InferOutput<typeof EditedResponse>;

/**
 * How a held message continues: unchanged; as this request; as this response; as this message; or not at all. With a
 * response to a held request, upstream is not contacted. `abort` drops a message; it resets the client's stream, or
 * answers with an empty response of `status`.
 */
export const ReleaseSchema = v.variant('how', [
  v.strictObject({ how: v.literal('continue') }),
  EditedRequest,
  EditedResponse,
  v.strictObject({ how: v.literal('message'), body: v.literal('written') }),
  v.strictObject({ how: v.literal('abort'), status: v.nullable(FinalStatus) }),
]);
export type Release = v.InferOutput<typeof ReleaseSchema>;
