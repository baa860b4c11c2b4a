import { missedCondition } from '../../../../shared/filter/explain.ts';
import { fieldsFor, parseRuleQuery } from '../../../../shared/filter/rule-query.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { summaryNow } from '../../../../shared/model/exchange-summary.ts';
import type { Rule, RuleList } from '../../../../shared/model/rule/rule.ts';
import { isFinal } from '../rule-words.ts';

/** Why a rule of the list did or did not apply to an exchange. */
export interface RuleVerdict {
  name: string;
  isHit: boolean;
  reason: string;
}

/** Why no exchange can match the rule; null: one can. */
function isOff({ enabled, group }: Rule, groupsOff: readonly string[]): string | null {
  if (!enabled) return 'Switched off';
  return group !== undefined && groupsOff.includes(group) ? `Its group "${group}" is switched off` : null;
}

function missed(rule: Rule, exchange: Exchange): string {
  const parsed = parseRuleQuery(rule.when);
  if (!parsed.ok) return 'Its query is not valid';
  const condition = missedCondition(parsed.query, summaryNow(exchange), fieldsFor(rule, exchange));
  if (condition !== null) return `Missed: ${condition} does not hold`;
  // The list may have been different, its limit may have been reached, or a percentage of failures may have spared the
  // exchange.
  return 'Its query matches, but it was not applied: its limit, its percentage, or a later rule change';
}

/** Every rule of the current list, in order. Applied rules are recorded; the others are evaluated again. */
export function ruleVerdicts({ rules, groupsOff }: RuleList, exchange: Exchange): RuleVerdict[] {
  const applied = new Set(exchange.rules.map(({ name }) => name));
  const end = rules.findIndex((rule) => applied.has(rule.name) && isFinal(rule));
  return rules.map((rule, index) => {
    const { name } = rule;
    if (applied.has(name)) return { name, isHit: true, reason: rule.when === '' ? 'Every exchange' : rule.when };
    const off = isOff(rule, groupsOff);
    if (off !== null) return { name, isHit: false, reason: off };
    if (end >= 0 && index > end)
      return { name, isHit: false, reason: `Not reached: the final rule "${rules[end]?.name}" ended the list` };
    return { name, isHit: false, reason: missed(rule, exchange) };
  });
}
