import * as v from 'valibot';
import { CONSOLE_LEVELS } from './script.ts';

/** What a rule would change of one message, as lines of text: the head, and after an empty line a small body. */
export const TrialDiffSchema = v.object({
  side: v.picklist(['request', 'response']),
  before: v.array(v.string()),
  after: v.array(v.string()),
});
export type TrialDiff = v.InferOutput<typeof TrialDiffSchema>;

/** What a script wrote to its console. */
export const TrialLineSchema = v.object({ level: v.picklist(CONSOLE_LEVELS), text: v.string() });
export type TrialLine = v.InferOutput<typeof TrialLineSchema>;

/** An exchange that a rule would hit. */
export const TrialHitSchema = v.object({
  id: v.number(),
  method: v.string(),
  url: v.string(),
  /** 0: there was no response. */
  status: v.number(),
  diffs: v.array(TrialDiffSchema),
  /** Why a change would not apply, as part of a sentence; null: all would. */
  problem: v.nullable(v.string()),
  /** The first lines that the rule's scripts wrote. */
  console: v.array(TrialLineSchema),
});
export type TrialHit = v.InferOutput<typeof TrialHitSchema>;

/** A rule over a recorded session. `hits`: the first TRIAL_HITS of those that match. */
export const TrialSchema = v.object({
  searched: v.number(),
  matching: v.number(),
  hits: v.array(TrialHitSchema),
});
export type Trial = v.InferOutput<typeof TrialSchema>;

/** Hits whose changes are computed. The filter box shows all. */
export const TRIAL_HITS = 10;
