import * as v from 'valibot';
import { FailureSchema } from '../failure.ts';
import { RuleListSchema } from './rule.ts';

/** One fault of a rules file. `line` and `column` count from 1; `column` in UTF-16 units. */
export const RuleFaultSchema = v.object({ line: v.number(), column: v.number(), message: v.string() });
export type RuleFault = v.InferOutput<typeof RuleFaultSchema>;

/** The rules in use, and the file that they come from. */
export const RuleStateSchema = v.object({
  /** As in the file: paths in it may be relative to the file's folder. */
  rules: RuleListSchema,
  /** The file: the one given on the command line, or `rules.json` in the data folder, which may not exist. */
  path: v.string(),
  /**
   * The faults of the current file. With `failure`, the rules before them stay in use. Without it, these rules are in
   * use, and a script does not compile or a file is missing.
   */
  problems: v.array(RuleFaultSchema),
  /** Why the current file is not in use: it has faults, or cannot be read. Null: it is in use. */
  failure: v.nullable(FailureSchema),
});
export type RuleState = v.InferOutput<typeof RuleStateSchema>;

/**
 * How often a rule matched an exchange since the list was loaded, and when it last did: milliseconds since the epoch.
 */
export const RuleHitsSchema = v.object({ name: v.string(), hits: v.number(), lastHit: v.number() });
export type RuleHits = v.InferOutput<typeof RuleHitsSchema>;
