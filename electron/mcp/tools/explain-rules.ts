import * as v from 'valibot';
import { ruleMatches } from '../../../shared/filter/rule-query.ts';
import { agentOf } from '../../../shared/model/rule/agent-rule.ts';
import { defineTool } from '../define-tool.ts';
import { shownQuery } from '../read/shown-query.ts';
import { Id, Session } from './common-inputs.ts';

export const explainRules = defineTool({
  name: 'explain_rules',
  description:
    'The active rules. With an id: why each rule applied to that exchange or did not (off, query does not match, ' +
    'or the actions taken).',
  input: v.strictObject({ id: v.optional(Id), session: Session }),
  async run({ id, session }, context) {
    const { rules: state, path, problems } = await context.api.request('rules.get', {});
    const found =
      id === undefined
        ? null
        : await context.api.request('exchanges.get', { session: await context.sessionId(session), id });
    const off = new Set(state.groupsOff);
    const rules = state.rules.map((rule) => ({
      name: rule.name,
      mine: agentOf(rule) !== null,
      on: rule.enabled && !(rule.group !== undefined && off.has(rule.group)),
      when: shownQuery(rule.when),
      actions: rule.do.flatMap((action) => Object.keys(action)),
      ...(found && { matchesNow: ruleMatches(rule, found) }),
    }));
    // A query about the response may match the finished row and not have matched the request.
    return { file: path, faults: problems, rules, ...(found && { applied: found.rules }) };
  },
});
