import * as v from 'valibot';

/** `high`: a second or a megabyte and more; `medium`: 300 ms or 300 KB; `low`: less. Some rules state their own. */
export const SeveritySchema = v.picklist(['high', 'medium', 'low']);
export type Severity = v.InferOutput<typeof SeveritySchema>;

/**
 * `high`: the recording proves it. `medium`: an assumption is involved, which `detail` names. `low`: an estimate.
 */
const ConfidenceSchema = v.picklist(['high', 'medium', 'low']);
export type Confidence = v.InferOutput<typeof ConfidenceSchema>;

/** Evidence in a session that something is slow, wasteful or wrong. */
export const FindingSchema = v.object({
  /** The rule's id, stable: `repeated-preflights`. docs/findings.md lists all of them. */
  rule: v.string(),
  severity: SeveritySchema,
  confidence: ConfidenceSchema,
  /** One sentence with the figures. */
  title: v.string(),
  /** The origin, host or path that it concerns. */
  where: v.string(),
  /** More about the evidence: who did what, and what was assumed. Empty if the title is enough. */
  detail: v.string(),
  /** What to change. */
  remedy: v.string(),
  /** Ids of the exchanges that show it, in the order of their start. */
  exchanges: v.array(v.number()),
  /** Milliseconds lost, null if unknown. What several exchanges lost at the same time counts once. */
  costMs: v.nullable(v.number()),
  /**
   * The part of them that lay on the critical path of a page; null if no exchange did, or if that can't be computed.
   */
  criticalMs: v.nullable(v.number()),
  /** Bytes that need not have been sent, null if that can't be computed. */
  bytes: v.nullable(v.number()),
  /** Requests that need not have been sent, null if that does not apply. */
  requests: v.nullable(v.number()),
});
export type Finding = v.InferOutput<typeof FindingSchema>;

/** As a window gets it. */
export const ShortFindingSchema = v.object({
  ...FindingSchema.entries,
  /** How many exchanges show it: `exchanges` may be the first of them. */
  rows: v.number(),
});
export type ShortFinding = v.InferOutput<typeof ShortFindingSchema>;
