import * as v from 'valibot';
import { ProtocolSchema } from '../connection.ts';

/** What can be left out of a comparison; `phases` stands for all of them. */
export const CHANGE_KINDS = ['status', 'size', 'type', 'protocol', 'failure', 'phases'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export const COMPARED_PHASES = ['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'] as const;

/** An exchange as a comparison lists it. */
export const ComparedRowSchema = v.object({
  id: v.number(),
  method: v.string(),
  url: v.string(),
  /** 0: no response arrived. */
  status: v.number(),
  /** The response's media type; empty where unknown. */
  type: v.string(),
  protocol: ProtocolSchema,
  /** Response bytes on the wire. */
  size: v.number(),
  /** Milliseconds since the session's first exchange. */
  startedAfter: v.number(),
  /** Milliseconds, all phases. */
  total: v.number(),
});
export type ComparedRow = v.InferOutput<typeof ComparedRowSchema>;

const ChangeValueSchema = v.nullable(v.union([v.string(), v.number()]));

/**
 * One difference between two matched exchanges; `total` where phases are unknown. Phases are in milliseconds, sizes in
 * bytes; null: unknown or none.
 */
export const ChangeSchema = v.object({
  what: v.picklist(['status', 'size', 'type', 'protocol', 'failure', ...COMPARED_PHASES, 'total']),
  before: ChangeValueSchema,
  after: ChangeValueSchema,
});
export type Change = v.InferOutput<typeof ChangeSchema>;

const ChangedPairSchema = v.object({
  before: ComparedRowSchema,
  after: ComparedRowSchema,
  changes: v.array(ChangeSchema),
});

/** Of one session: exchanges, response bytes on the wire, and milliseconds of all exchanges added up; -1: unknown. */
const SumSchema = v.object({ exchanges: v.number(), bytes: v.number(), ms: v.number() });
export type Sum = v.InferOutput<typeof SumSchema>;

const SumsSchema = v.array(v.object({ name: v.string(), before: SumSchema, after: SumSchema }));
/** The sums of each host or media type in either session; those with the most bytes first. */
export type Sums = v.InferOutput<typeof SumsSchema>;

/**
 * Two sessions side by side. `counts` are complete; the lists may be cut short. Lists are in order of arrival, `gone`
 * and pairs in that of the first session.
 */
export const ComparisonSchema = v.object({
  counts: v.object({ added: v.number(), gone: v.number(), changed: v.number(), unchanged: v.number() }),
  /** Only in the second session. */
  added: v.array(ComparedRowSchema),
  /** Only in the first. */
  gone: v.array(ComparedRowSchema),
  changed: v.array(ChangedPairSchema),
  unchanged: v.array(v.object({ before: ComparedRowSchema, after: ComparedRowSchema })),
  hosts: SumsSchema,
  types: SumsSchema,
});
export type Comparison = v.InferOutput<typeof ComparisonSchema>;

/** What a comparison leaves out. */
export const IgnoredSchema = v.strictObject({
  /** Filters (shared/filter): exchanges that match any of them are left out of both sessions. */
  queries: v.pipe(v.array(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(1000))), v.maxLength(100)),
  changes: v.array(v.picklist(CHANGE_KINDS)),
});
export type Ignored = v.InferOutput<typeof IgnoredSchema>;

export const NOTHING_IGNORED: Ignored = { queries: [], changes: [] };
