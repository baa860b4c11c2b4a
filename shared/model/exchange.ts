import * as v from 'valibot';
import { ConnectionInfoSchema } from './connection.ts';
import { FailureSchema } from './failure.ts';
import { RequestMessageSchema, ResponseMessageSchema } from './message.ts';
import { UpstreamRouteSchema } from './proxy/upstream-route.ts';
import { ReplayOfSchema } from './replay/replay-of.ts';
import { MarkSchema } from './rule/actions.ts';
import { MessageEditsSchema } from './rule/message-edits.ts';
import { RuleOutcomeSchema } from './rule/rule.ts';
import { TimingsSchema } from './timings.ts';

/**
 * - `http`: a request and its response.
 * - `upgrade`: a request whose response switched protocols (WebSocket); the bytes after it pass both ways.
 * - `tunnel`: a CONNECT passed through, refused, or failed before a request could be read from it.
 * - `connection`: a client's connection without a request (neither HTTP nor TLS, malformed).
 */
export const ExchangeKindSchema = v.picklist(['http', 'upgrade', 'tunnel', 'connection']);
export type ExchangeKind = v.InferOutput<typeof ExchangeKindSchema>;

/**
 * `open`: still moving. `complete`: ended as the protocol says. `failed`: has a failure. `aborted`: the client went
 * away.
 */
export const ExchangeStateSchema = v.picklist(['open', 'complete', 'failed', 'aborted']);
export type ExchangeState = v.InferOutput<typeof ExchangeStateSchema>;

/** One upstream attempt of an exchange. */
export const AttemptSchema = v.object({
  /** Milliseconds after the exchange's start. */
  startedAfter: v.number(),
  /** Milliseconds. */
  duration: v.number(),
  connection: v.nullable(ConnectionInfoSchema),
  failure: v.nullable(FailureSchema),
  /** Why another one followed (`connect-refused`, `reused-connection-closed`, `refused-stream`), or null. */
  retryReason: v.nullable(v.string()),
});
export type Attempt = v.InferOutput<typeof AttemptSchema>;

/** One request and its response, as the client sees them: the unit of everything shown, kept and exported. */
export const ExchangeSchema = v.object({
  /** Unique within a session, ascending in order of arrival. */
  id: v.number(),
  /** Increments with each change; of two versions, the higher one is valid. */
  revision: v.number(),
  kind: ExchangeKindSchema,
  state: ExchangeStateSchema,
  /** Milliseconds since the Unix epoch, with microseconds as decimals. */
  startedAt: v.number(),
  client: ConnectionInfoSchema,
  upstream: v.nullable(ConnectionInfoSchema),
  /** The route upstream; null if none was chosen, and in sessions of an older version. */
  route: v.nullable(UpstreamRouteSchema),
  request: RequestMessageSchema,
  response: v.nullable(ResponseMessageSchema),
  attempts: v.array(AttemptSchema),
  timings: TimingsSchema,
  failure: v.nullable(FailureSchema),
  /** The rules that were applied, in order. */
  rules: v.array(RuleOutcomeSchema),
  /**
   * The request that went upstream, where a rule changed it: `request` is the client's. Its body is that of `request`
   * unless it is `own`.
   */
  sent: v.nullable(RequestMessageSchema),
  /**
   * The response that arrived, where a rule changed it: `response` is the client's. Its body is that of `response`
   * unless it is `own`.
   */
  received: v.nullable(ResponseMessageSchema),
  mark: v.nullable(MarkSchema),
  /** The messages of its stream that rules changed one by one; null: none, and the streams of older sessions. */
  messageEdits: v.nullable(MessageEditsSchema),
  /** Set where Roundtrip itself sent the request again; null for a client's request, and for a newly written one. */
  replayOf: v.nullable(ReplayOfSchema),
});
export type Exchange = v.InferOutput<typeof ExchangeSchema>;
