import * as v from 'valibot';
import type { Rule } from '../../../shared/model/rule/rule.ts';
import { roundtripError } from '../../failures/errors.ts';
import type { AgentContext } from '../agent-context.ts';
import { defineTool } from '../define-tool.ts';
import { predicateOf } from '../read/rows.ts';
import { RuleInput, refuseFiles, ruleOf } from './try-rule.ts';

/**
 * A rule must not bypass what its user decides elsewhere: secrets are left out of results, and requests go to approved
 * hosts only. A script could copy the one and change the other. Throws `agents.bad-rule`, `agents.bad-query` or
 * `agents.host-not-approved`.
 */
async function refuseDetours(rule: Rule, { api }: AgentContext): Promise<void> {
  refuseFiles(rule);
  // It refuses queries about fields: by their hits an agent could guess a secret letter by letter.
  predicateOf(rule.when);
  const { agentsSendTo } = await api.request('settings.get', {});
  for (const action of rule.do) {
    if ('script' in action)
      throw roundtripError('agents.bad-rule', { detail: 'agents may try scripts, but not apply them: the user can' });
    const host = 'mapTo' in action ? action.mapTo.host?.toLowerCase() : undefined;
    if (host !== undefined && !agentsSendTo.includes(host)) throw roundtripError('agents.host-not-approved', { host });
  }
}

export const applyRule = defineTool({
  name: 'apply_rule',
  description:
    "Applies a rule (see try_rule) to new traffic, before the user's rules, for `seconds`. Your rules are apart from " +
    "the user's, expire, and end with your connection. The same name replaces it. No files, no scripts; mapTo only " +
    'to approved hosts.',
  writes: true,
  input: v.strictObject({
    rule: RuleInput,
    seconds: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(3600)), 600),
  }),
  async run({ rule: input, seconds }, context) {
    const rule = ruleOf(input);
    await refuseDetours(rule, context);
    return { name: rule.name, ...(await context.api.request('agent-rules.apply', { rule, seconds })) };
  },
});

export const clearMine = defineTool({
  name: 'clear_mine',
  description: "Removes all rules that agents applied. The user's rules stay.",
  writes: true,
  input: v.strictObject({}),
  run: async (_input, { api }) => await api.request('agent-rules.clear', {}),
});
