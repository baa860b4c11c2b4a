import * as v from 'valibot';
import { type RuleList, RuleListSchema } from '../../shared/model/rule/rule.ts';

/** A list of these rules, with a name for those that have none. */
export function ruleList(...rules: readonly object[]): RuleList {
  const named = rules.map((rule, at) => ({ name: `rule ${at}`, ...rule }));
  return v.parse(RuleListSchema, { version: 1, rules: named });
}
