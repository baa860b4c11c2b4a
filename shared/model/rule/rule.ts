import * as v from 'valibot';
import { ActionSchema } from './actions.ts';

/**
 * Rules that change traffic on purpose: data, in one versioned form. A rules file holds it as JSON, and the engine gets
 * the same. Execution is in electron/engine/rules.
 */
export const RuleSchema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1)),
  enabled: v.optional(v.boolean(), true),
  /** Groups are switched on and off together: `groupsOff` of the list. */
  group: v.optional(v.string()),
  /** A query of shared/filter; empty: every exchange. */
  when: v.optional(v.string(), ''),
  /** Only this many matches, from the time the rules were loaded. */
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  do: v.pipe(v.array(ActionSchema), v.minLength(1)),
});
export type Rule = v.InferOutput<typeof RuleSchema>;

/** A rule with its defaults filled in, or its first fault: `do.0.delay.ms: Invalid value`. */
export function parseRule(input: unknown): { ok: true; rule: Rule } | { ok: false; problem: string } {
  const parsed = v.safeParse(RuleSchema, input);
  if (parsed.success) return { ok: true, rule: parsed.output };
  const [issue] = parsed.issues;
  return { ok: false, problem: `${v.getDotPath(issue) ?? 'rule'}: ${issue.message}` };
}

export const RuleListSchema = v.strictObject({
  /** For editors: the published JSON schema. */
  $schema: v.optional(v.string()),
  version: v.literal(1),
  groupsOff: v.optional(v.array(v.string()), []),
  rules: v.array(RuleSchema),
});
export type RuleList = v.InferOutput<typeof RuleListSchema>;

export const NO_RULES: RuleList = { version: 1, groupsOff: [], rules: [] };

/** What a rule did to one exchange. */
export const RuleOutcomeSchema = v.object({
  /** Its place in the list, from 0, and its name, at the time of the exchange. */
  index: v.number(),
  name: v.string(),
  /** The actions that were applied, in order: `changeRequest`. */
  actions: v.array(v.string()),
  /** Why an action could not be applied as written; null: all of it was. */
  problem: v.nullable(v.string()),
});
export type RuleOutcome = v.InferOutput<typeof RuleOutcomeSchema>;
