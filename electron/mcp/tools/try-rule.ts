import * as v from 'valibot';
import { parseRule, type Rule } from '../../../shared/model/rule/rule.ts';
import { roundtripError } from '../../failures/errors.ts';
import { defineTool } from '../define-tool.ts';
import { pick } from '../read/row-fields.ts';
import { matchingRows } from '../read/rows.ts';
import { count, Session } from './common-inputs.ts';

/** A rule as rules files have it (docs/rules.md). Checked by the same schema; here its shape would cost every agent tokens. */
export const RuleInput = v.record(v.string(), v.unknown());

/** Throws `agents.bad-rule`. */
export function ruleOf(input: v.InferOutput<typeof RuleInput>): Rule {
  const parsed = parseRule(input);
  if (parsed.ok) return parsed.rule;
  throw roundtripError('agents.bad-rule', { detail: parsed.problem });
}

export const tryRule = defineTool({
  name: 'try_rule',
  description:
    'Checks a rule without applying it: its faults, and which recorded exchanges its query matches. A rule: {"name","when":query,"do":[action]}; an action is one of {"answer":{"status","headers":[[n,v]],"body"}}, {"changeRequest":{"setHeaders":[[n,v]]}}, {"changeResponse":{"replaceBody":[{"find","with"}]}}, {"delay":{"ms"}}, {"fail":{"how":"reset"}}.',
  input: v.strictObject({ rule: RuleInput, limit: count(50, 10), session: Session }),
  async run({ rule: input, limit, session }, context) {
    const rule = ruleOf(input);
    const examples: Record<string, unknown>[] = [];
    let matching = 0;
    for await (const row of matchingRows(context, { session, query: rule.when })) {
      matching += 1;
      if (examples.length < limit) examples.push(pick(row, ['id', 'method', 'url', 'status']));
    }
    return { rule, actions: rule.do.flatMap((action) => Object.keys(action)), matching, examples };
  },
});
