import * as v from 'valibot';
import { defineTool } from '../define-tool.ts';
import { RuleInput, ruleOf } from './try-rule.ts';

export const applyRule = defineTool({
  name: 'apply_rule',
  description:
    "Applies a rule (see try_rule) to new traffic, before the user's rules, for `seconds`. Your rules are apart from the user's, expire, and end with your connection. The same name replaces it.",
  writes: true,
  input: v.strictObject({
    rule: RuleInput,
    seconds: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(3600)), 600),
  }),
  async run({ rule: input, seconds }, { api }) {
    const rule = ruleOf(input);
    return { name: rule.name, ...(await api.request('agent-rules.apply', { rule, seconds })) };
  },
});

export const clearMine = defineTool({
  name: 'clear_mine',
  description: "Removes all rules that agents applied. The user's rules stay.",
  writes: true,
  input: v.strictObject({}),
  run: async (_input, { api }) => await api.request('agent-rules.clear', {}),
});
