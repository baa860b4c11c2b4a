import * as v from 'valibot';
import type { ConnectionInfo } from '../../../../shared/model/connection.ts';
import { ConnectionInfoSchema } from '../../../../shared/model/connection.ts';
import { UserMarkSchema } from '../../../../shared/model/edits/session-edits.ts';
import { type Attempt, ExchangeKindSchema, ExchangeStateSchema } from '../../../../shared/model/exchange.ts';
import { FailureSchema } from '../../../../shared/model/failure.ts';
import {
  BodyInfoSchema,
  InformationalMessageSchema,
  RequestMessageSchema,
  ResponseMessageSchema,
} from '../../../../shared/model/message.ts';
import { UpstreamRouteSchema } from '../../../../shared/model/proxy/upstream-route.ts';
import { ReplayOfSchema } from '../../../../shared/model/replay/replay-of.ts';
import { MarkSchema } from '../../../../shared/model/rule/actions.ts';
import { RuleOutcomeSchema } from '../../../../shared/model/rule/rule.ts';
import { CertificateInfoSchema, TlsInfoSchema } from '../../../../shared/model/tls-info.ts';
import type { Numbering } from '../numbering.ts';

/** Our HARs keep only what identifies a certificate; the rest is empty, which is shown as unknown. */
const CertificateSchema = v.object({
  ...CertificateInfoSchema.entries,
  altNames: v.optional(v.array(v.string()), []),
  serialNumber: v.optional(v.string(), ''),
  notBefore: v.optional(v.string(), ''),
});

/** An id far below the limit of exact integers: the session continues counting from it. */
const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(1e12));
/** The range of a Date (ECMAScript, section 21.4.1.1). */
const Moment = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(-1));
const BodyWordsSchema = v.object({ ...BodyInfoSchema.entries, size: Count, stored: Count });

const ConnectionWordsSchema = v.object({
  ...ConnectionInfoSchema.entries,
  id: Id,
  tls: v.nullable(v.object({ ...TlsInfoSchema.entries, certificate: v.optional(v.nullable(CertificateSchema), null) })),
});

const Phase = v.optional(v.number(), -1);

/** The content of an entry's `_roundtrip` (shared/format/har.ts writes it). Later fields are optional. */
const OwnWordsSchema = v.object({
  id: Id,
  revision: v.optional(v.number(), 1),
  kind: ExchangeKindSchema,
  state: ExchangeStateSchema,
  startedAt: Moment,
  path: v.string(),
  overheadRequest: Phase,
  overheadResponse: Phase,
  failedTries: Phase,
  rulesRequest: Phase,
  rulesSend: Phase,
  rulesResponse: Phase,
  notReached: v.optional(v.array(v.picklist(['send', 'wait', 'receive'])), []),
  failure: v.nullable(FailureSchema),
  route: v.optional(v.nullable(UpstreamRouteSchema), null),
  attempts: v.array(
    v.object({
      startedAfter: v.number(),
      duration: v.number(),
      connection: v.nullable(Id),
      failure: v.nullable(FailureSchema),
      retryReason: v.nullable(v.string()),
    }),
  ),
  client: ConnectionWordsSchema,
  upstream: v.nullable(ConnectionWordsSchema),
  informational: v.array(InformationalMessageSchema),
  requestBody: BodyWordsSchema,
  responseBody: v.nullable(BodyWordsSchema),
  rules: v.optional(v.array(RuleOutcomeSchema), []),
  sent: v.optional(v.nullable(RequestMessageSchema), null),
  received: v.optional(v.nullable(ResponseMessageSchema), null),
  mark: v.optional(v.nullable(MarkSchema), null),
  replayOf: v.optional(v.nullable(ReplayOfSchema), null),
  eventTimes: v.optional(v.array(Moment), []),
  userMark: v.optional(v.nullable(UserMarkSchema), null),
});
export type OwnWords = v.InferOutput<typeof OwnWordsSchema>;

/** What Roundtrip wrote about the entry beyond HAR; null in other programs' files, and if it was edited. */
export function ownWordsIn(value: unknown): OwnWords | null {
  const parsed = v.safeParse(OwnWordsSchema, value);
  return parsed.success ? parsed.output : null;
}

export function ownConnection(words: ConnectionInfo, numbering: Numbering): ConnectionInfo {
  return numbering.remember({ ...words, id: numbering.ownConnection(words.id) });
}

/** An attempt names its connection by id: a connection without an exchange is unknown. */
export function ownAttempts(words: OwnWords, numbering: Numbering): Attempt[] {
  return words.attempts.map(({ connection, ...attempt }) => {
    return { ...attempt, connection: numbering.known(numbering.ownConnection(connection ?? 0)) };
  });
}
